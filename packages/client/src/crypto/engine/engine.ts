/**
 * The encryption engine, opened for one device. The engine does all cryptography; our code sends its requests to the
 * server, in the right order and never two conflicting ones at a time.
 *
 * Handles of the engine live in WebAssembly's memory: the caller frees each (`using`), or the store can't be closed.
 * A call consumes the ids in the lists that it gets, so each call needs new ones.
 */
import type { AccountId, ChatId, DeviceId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import type * as Library from '@matrix-org/matrix-sdk-crypto-wasm';

export type EngineLibrary = typeof Library;

/** Loaded on first use: 1.4 MB that only the leading tab needs. */
export async function loadEngine(): Promise<EngineLibrary> {
  const library = await import('@matrix-org/matrix-sdk-crypto-wasm');
  await library.initAsync();
  return library;
}

export interface Engine {
  library: EngineLibrary;
  machine: Library.OlmMachine;
  account: AccountId;
  device: DeviceId;
  /** The device's signing key, which its owner's identity signs. */
  fingerprint: string;
  user(account: AccountId): Library.UserId;
  users(accounts: Iterable<AccountId>): Library.UserId[];
  room(chat: ChatId): Library.RoomId;
  close(): void;
}

export interface EngineStore {
  name: string;
  key: Uint8Array;
}

export async function openEngine(
  library: EngineLibrary,
  { account, device, store }: { account: AccountId; device: DeviceId; store: EngineStore },
): Promise<Engine> {
  // An open handle would keep the database open after the engine is closed, and the database could not be deleted.
  using handle = await library.StoreHandle.openWithKey(store.name, store.key);
  const machine = await library.OlmMachine.initFromStore(
    new library.UserId(userOf(account)),
    new library.DeviceId(device),
    handle,
  );
  // Missing keys come from the backup, never from other devices: a device that answers such requests can be made to
  // leak.
  machine.roomKeyRequestsEnabled = false;
  machine.roomKeyForwardingEnabled = false;
  using keys = machine.identityKeys;
  const user = (one: AccountId): Library.UserId => new library.UserId(userOf(one));
  return {
    library,
    machine,
    account,
    device,
    fingerprint: keys.ed25519.toBase64(),
    user,
    users: (accounts) => [...new Set(accounts)].map(user),
    room: (chat) => new library.RoomId(roomOf(chat)),
    close: () => machine.close(),
  };
}

/** The engine keeps two databases under one name. */
export function engineDatabases(storeName: string): string[] {
  return [`${storeName}::matrix-sdk-crypto`, `${storeName}::matrix-sdk-crypto-meta`];
}
