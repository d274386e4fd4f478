/** Stores the account key and the engine's store key in a file, protected only by the file's permissions. */
import type { KeyStore } from '@dostar/client/key-store';
import type { ValueStore } from '@dostar/client/engine-disk';

type StoredKeys = Record<string, Uint8Array<ArrayBuffer>>;

/** The key stores that `createAuth` and the key ring need, as one object. */
export type FileKeyStore = KeyStore & {
  put(name: string, secret: Uint8Array<ArrayBuffer>): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(name: string): Promise<void>;
};

const PENDING_PREFIX = 'held ';

export async function openFileKeyStore(place: ValueStore): Promise<FileKeyStore> {
  const stored = ((await place.read()) ?? {}) as StoredKeys;
  let writing: Promise<void> = Promise.resolve();

  /** Writes run one after another, so that an older state never overwrites a newer one. */
  function write(): Promise<void> {
    const mine = writing.then(() => place.write(stored));
    writing = mine.catch(() => {});
    return mine;
  }

  async function put(name: string, secret: Uint8Array<ArrayBuffer>): Promise<void> {
    stored[name] = new Uint8Array(secret);
    await write();
  }

  async function remove(name: string): Promise<void> {
    delete stored[name];
    await write();
  }

  return {
    put,
    get: async (name) => stored[name],
    delete: remove,
    storePendingSecret: (account, secret) => put(PENDING_PREFIX + account, secret),
    async takePendingSecret(account) {
      const secret = stored[PENDING_PREFIX + account];
      await remove(PENDING_PREFIX + account);
      return secret;
    },
  };
}
