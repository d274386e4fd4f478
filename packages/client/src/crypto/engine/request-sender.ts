/**
 * Sends the engine's requests to the server, and passes the answers to the engine.
 *
 * A request whose answer is lost is made again by the engine under its id, also after a restart, and the server takes it
 * twice without harm: so nothing here is remembered, and nothing is marked as sent that was not.
 */
import * as keys from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser, userOf } from '@dostar/protocol/matrix-ids';
import type { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';
import type { z } from 'zod';
import type { ClientDeps } from '../../deps.ts';
import type { Call } from '../../net/call.ts';
import type { Engine } from './engine.ts';
import type { KeyMetadataStore } from './key-metadata.ts';
import type { Mutex } from '../../lib/mutex.ts';

type EngineRequest = Awaited<ReturnType<OlmMachine['outgoingRequests']>>[number];

export interface RequestSender {
  /** Sends one request and tells the engine the answer. */
  send(request: EngineRequest): Promise<unknown>;
  /** Sends all pending requests of the engine. A failure does not stop the others, and is thrown at the end. */
  flush(): Promise<void>;
  /** Only the requests that encryption waits for: uploads of this device's keys, and key queries. */
  flushQueries(): Promise<void>;
  /**
   * Asks the server for these accounts' devices now, whether or not the engine thinks it needs to. Returns the master
   * keys that the server names, possibly of further accounts too. Throws unless all of `accounts` are answered.
   */
  query(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>>;
  /** Claims one-time keys for devices without an Olm session, or with a broken one. */
  claim(accounts: readonly AccountId[]): Promise<void>;
  /** Shows the engine the account's deleted devices, so that keys from them are attributed to the account. */
  loadFormerDevices(account: AccountId): Promise<void>;
}

interface RequestSenderDeps extends Pick<ClientDeps, 'log'> {
  call: Call;
  mutex: Mutex;
  /** Before anything leaves: a device that forgets what it has published can never be believed again. */
  persist(): Promise<void>;
  onRevisions(revisions: ReadonlyMap<AccountId, number | undefined>): Promise<void>;
  /** Called under the lock of the lists, once the engine has stored the server's answer about these accounts. */
  onDeviceLists(accounts: readonly AccountId[]): Promise<void>;
  /** While the engine takes the former devices of an account for present ones: nothing is sealed meanwhile. */
  onFormerDevices(account: AccountId): Promise<void>;
  keyMetadata: Pick<KeyMetadataStore, 'put'>;
}

export function createRequestSender(engine: Engine, deps: RequestSenderDeps): RequestSender {
  const { call, mutex, persist, onRevisions, log } = deps;
  const { machine, library } = engine;
  const { RequestType } = library;

  async function send(request: EngineRequest): Promise<unknown> {
    const { id, type } = request;
    await persist();
    const reply = await post(request);
    if (type === RequestType.KeysQuery) return storeDeviceLists(request, reply);
    // Requests that the engine keeps no account of have no id, such as a signature made on the spot.
    if (id !== undefined) await machine.markRequestAsSent(id, type, JSON.stringify(reply));
    return reply;
  }

  /** Under the lock of the lists: an identity must not change between the check of it and the sharing of a key. */
  async function storeDeviceLists({ id, type }: EngineRequest, reply: unknown): Promise<unknown> {
    const revisions = revisionsOf(reply);
    await mutex.run(DEVICE_LISTS_LOCK, async () => {
      if (id !== undefined) await machine.markRequestAsSent(id, type, JSON.stringify(reply));
      await deps.onDeviceLists([...revisions.keys()]);
    });
    await onRevisions(revisions);
    return reply;
  }

  async function post(request: EngineRequest): Promise<unknown> {
    // What the engine wrote is parsed by the contract before it leaves.
    const body = JSON.parse(request.body) as never;
    switch (request.type) {
      case RequestType.KeysUpload:
        return call(keys.uploadKeys, body).catch(throwRetryable);
      case RequestType.KeysQuery:
        return call(keys.queryKeys, body);
      case RequestType.KeysClaim:
        return call(keys.claimKeys, body);
      case RequestType.SignatureUpload:
        return call(keys.uploadSignatures, body);
      case RequestType.ToDevice: {
        const { event_type: eventType, txn_id: txn } = request as { event_type: string; txn_id: string };
        return call(sendToDevice, { type: eventType, txn, messages: (body as { messages: never }).messages });
      }
      case RequestType.RoomMessage:
      case RequestType.KeysBackup:
        // The engine never asks for these by itself.
        throw new AppError('internal');
    }
  }

  function logUnsent({ type }: EngineRequest, error: unknown): void {
    log('engine request not sent', { type, code: error instanceof AppError ? error.code : 'internal' });
  }

  /** The engine offers a request again until it is marked as sent: two flushes at once would send everything twice. */
  async function flushMatching(isWanted: (request: EngineRequest) => boolean): Promise<void> {
    await mutex.run('flush', async () => {
      let failure: unknown;
      // What failed would be offered again in the next round.
      for (let round = 0; round < MAX_ROUNDS && failure === undefined; round += 1) {
        const requests = (await machine.outgoingRequests()).filter(isWanted);
        if (requests.length === 0) break;
        for (const request of requests) {
          try {
            await send(request);
          } catch (error) {
            failure ??= error;
            logUnsent(request, error);
          }
        }
      }
      if (failure !== undefined) throw failure;
    });
  }

  /**
   * The engine's own pending queries about these accounts are sent instead of new ones: while one is pending,
   * `getIdentity` waits up to a second for its response, and no other response ends that wait.
   */
  async function query(accounts: readonly AccountId[]): Promise<Map<AccountId, string>> {
    const uncovered = new Set(accounts);
    const masterKeys = new Map<AccountId, string>();
    async function sendQuery(request: EngineRequest): Promise<void> {
      for (const [account, key] of masterKeysOf(await send(request))) masterKeys.set(account, key);
    }
    for (const request of await machine.outgoingRequests()) {
      const covered = queriedAccounts(request).filter((account) => uncovered.has(account));
      if (covered.length === 0) continue;
      try {
        await sendQuery(request);
        for (const account of covered) uncovered.delete(account);
      } catch (error) {
        // It may ask about other accounts too, whose shard is down: the caller's accounts are queried without those.
        logUnsent(request, error);
      }
    }
    if (uncovered.size > 0) await sendQuery(machine.queryKeysForUsers(engine.users(uncovered)));
    return masterKeys;
  }

  /** Empty for a request that is not a key query. */
  function queriedAccounts({ type, body }: EngineRequest): AccountId[] {
    if (type !== RequestType.KeysQuery) return [];
    const { device_keys: users } = QueryBody.parse(JSON.parse(body));
    return Object.keys(users).map((user) => accountOf(MatrixUser.parse(user)));
  }

  /** The engine keeps one list of devices, so the former ones are in it for a moment and go again. */
  async function applyFormerDevices(account: AccountId, present: QueryReply, gone: Devices): Promise<void> {
    const user = userOf(account);
    const all = { ...present.device_keys, [user]: { ...gone, ...present.device_keys[user] } };
    await mutex.run(DEVICE_LISTS_LOCK, async () => {
      // If this tab dies in between, the next one queries all lists again.
      await deps.keyMetadata.put('isRecalling', true);
      await answer(account, { ...present, device_keys: all });
      await deps.onFormerDevices(account);
      await answer(account, present);
      await deps.onDeviceLists([account]);
      await deps.keyMetadata.put('isRecalling', false);
    });
  }

  async function answer(account: AccountId, reply: QueryReply): Promise<void> {
    const { id, type } = machine.queryKeysForUsers(engine.users([account]));
    await machine.markRequestAsSent(id, type, JSON.stringify(reply));
  }

  return {
    send,
    flush: () => flushMatching(() => true),
    flushQueries: () => flushMatching(({ type }) => type === RequestType.KeysQuery || type === RequestType.KeysUpload),
    query: (accounts) => mutex.run('flush', () => query(accounts)),
    async claim(accounts) {
      await mutex.run('claim', async () => {
        const request = await machine.getMissingSessions(engine.users(accounts));
        if (request) await send(request);
      });
    },
    async loadFormerDevices(account) {
      const user = userOf(account);
      await mutex.run('flush', async () => {
        const { device_keys: former } = await call(keys.listDeletedDevices, { users: [user] });
        const present = await call(keys.queryKeys, { device_keys: { [user]: [] } });
        await applyFormerDevices(account, present, former[user] ?? {});
        await onRevisions(revisionsOf(present));
      });
    },
  };
}

type QueryReply = z.output<typeof keys.queryKeys.reply>;
type Devices = QueryReply['device_keys'][MatrixUser];

/** Held by callers that read the engine's device lists to encrypt, and by callers that add foreign devices to them. */
export const DEVICE_LISTS_LOCK = 'lists';

const QueryBody = keys.queryKeys.body.pick({ device_keys: true });
const DeviceLists = keys.queryKeys.reply.pick({ device_keys: true, device_revs: true });

/** Each answer may cause new requests; more rounds than this would be an endless loop. */
const MAX_ROUNDS = 10;

function masterKeysOf(reply: unknown): Map<AccountId, string> {
  const { master_keys: named } = keys.queryKeys.reply.pick({ master_keys: true }).parse(reply);
  return new Map(
    Object.entries(named).map(([user, { keys: key }]) => [
      accountOf(MatrixUser.parse(user)),
      Object.values(key)[0] ?? '',
    ]),
  );
}

/** Undefined for an account that was asked for and may not be seen. */
function revisionsOf(reply: unknown): Map<AccountId, number | undefined> {
  const { device_keys: asked, device_revs: revs } = DeviceLists.parse(reply);
  const users = Object.keys({ ...asked, ...revs }).map((user) => MatrixUser.parse(user));
  return new Map(users.map((user) => [accountOf(user), revs[user]]));
}

/**
 * For seconds a process of the server may remember which device this session had before it got a new one, and refuses
 * the keys of the new one. Taken for a refusal of the message that needs them, it would have failed for good.
 */
function throwRetryable(error: unknown): never {
  throw error instanceof AppError && error.code === 'forbidden' ? new AppError('unavailable') : error;
}
