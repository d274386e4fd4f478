/** The account key and the engine's store key, in a file. What a browser locks away is here guarded by the file's owner. */
import type { KeyKeeper } from '@dostar/client/auth';
import type { Place } from '@dostar/client/disk';

type Kept = Record<string, Uint8Array<ArrayBuffer>>;

/** What `createAuth` and the key ring ask for, under one roof. */
export type Keeper = KeyKeeper & {
  put(name: string, secret: Uint8Array<ArrayBuffer>): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(name: string): Promise<void>;
};

const HELD = 'held ';

export async function openFileKeeper(place: Place): Promise<Keeper> {
  const kept = ((await place.read()) ?? {}) as Kept;
  let writing: Promise<void> = Promise.resolve();

  /** One after another: a later state must not be overtaken by an earlier one. */
  function write(): Promise<void> {
    const mine = writing.then(() => place.write(kept));
    writing = mine.catch(() => {});
    return mine;
  }

  async function put(name: string, secret: Uint8Array<ArrayBuffer>): Promise<void> {
    kept[name] = new Uint8Array(secret);
    await write();
  }

  async function remove(name: string): Promise<void> {
    delete kept[name];
    await write();
  }

  return {
    put,
    get: async (name) => kept[name],
    delete: remove,
    hold: (account, secret) => put(HELD + account, secret),
    async takeHeld(account) {
      const secret = kept[HELD + account];
      await remove(HELD + account);
      return secret;
    },
  };
}
