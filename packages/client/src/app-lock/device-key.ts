/**
 * The device key: 32 random bytes for each account that is signed in in this browser. It encrypts every other key that
 * is stored here. It is stored in a file that can be deleted for good: without it, the copies of those keys that
 * IndexedDB still has can't be decrypted.
 */
import { AccountId } from '@dostar/protocol/ids';
import type { KeyFiles } from './key-files.ts';

const KEY_BYTES = 32;
const FOLDER = 'device-key/';

export interface DeviceKeys {
  /** Undefined for an account of which nothing is kept here. */
  find(account: AccountId): Promise<CryptoKey | undefined>;
  findOrMake(account: AccountId): Promise<CryptoKey>;
  delete(account: AccountId): Promise<void>;
  list(): Promise<AccountId[]>;
}

export function createDeviceKeys(files: KeyFiles): DeviceKeys {
  async function find(account: AccountId): Promise<CryptoKey | undefined> {
    const bytes = await files.read(FOLDER + account);
    return bytes?.length === KEY_BYTES ? importKey(bytes) : undefined;
  }

  return {
    find,
    findOrMake: (account) =>
      exclusively(FOLDER + account, async () => {
        const known = await find(account);
        if (known !== undefined) return known;
        const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
        await files.write(FOLDER + account, bytes);
        return importKey(bytes);
      }),
    delete: (account) => files.delete(FOLDER + account),
    async list() {
      const names = (await files.list()).filter((name) => name.startsWith(FOLDER));
      return names.map((name) => AccountId.parse(name.slice(FOLDER.length)));
    },
  };
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Two tabs that sign in at the same time must not each make a key. */
async function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks === undefined ? work() : locks.request(`dostar/${name}`, work);
}
