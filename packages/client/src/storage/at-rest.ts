/**
 * Encrypts message content on this device with the local key, which is stored like the account key
 * (account/key-store.ts). Senders and times are not encrypted: a copy of the profile folder reveals them.
 *
 * Call it outside of database transactions, because IndexedDB commits a transaction that waits for anything else.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { AppLocked } from '../app-lock/app-locked.ts';
import { type LocalKeys, localKeyOf } from './local-keys.ts';
import { readFormerLocalKey } from './meta.ts';
import type { Db } from './open.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

export interface AtRest {
  /** `context` names the row; the ciphertext does not decrypt in another row. */
  close(context: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Undefined if it was not encrypted for this context. Throws `AppLocked`. */
  open(context: string, closed: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export function createAtRest(db: Db, account: AccountId, keys: LocalKeys): AtRest {
  let key: Promise<CryptoKey> | undefined;

  return {
    async close(context, bytes) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: ENCODER.encode(context) },
        await takeKey(),
        new Uint8Array(bytes),
      );
      const closed = new Uint8Array(NONCE_BYTES + sealed.byteLength);
      closed.set(iv);
      closed.set(new Uint8Array(sealed), NONCE_BYTES);
      return closed;
    },

    async open(context, closed) {
      const iv = closed.slice(0, NONCE_BYTES);
      const additionalData = ENCODER.encode(context);
      try {
        const sealed = closed.slice(NONCE_BYTES);
        return new Uint8Array(
          await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, await takeKey(), sealed),
        );
      } catch (error) {
        // Otherwise a caller would mistake a locked key for content that never decrypts.
        if (error instanceof AppLocked) throw error;
        return undefined;
      }
    },
  };

  function takeKey(): Promise<CryptoKey> {
    key ??= findKey(db, account, keys).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  }
}

async function findKey(db: Db, account: AccountId, keys: LocalKeys): Promise<CryptoKey> {
  const former = await readFormerLocalKey(db);
  if (former !== undefined) return former;
  const fresh = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const bytes = await keys.getOrAdd(localKeyOf(account), fresh);
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
