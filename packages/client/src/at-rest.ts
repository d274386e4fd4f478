/**
 * What this device keeps of people's words, encrypted under a key that the browser holds and no script can export: a
 * copied profile folder shows who wrote when, and nothing of what.
 *
 * Only reads and writes outside of database transactions may wait for it: a transaction that waits for anything else is
 * over.
 */
import { readLocalKey, writeLocalKey } from './db/meta.ts';
import type { Db } from './db/open.ts';

const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

export interface AtRest {
  /** `place` is where it is kept; put anywhere else, it does not open. */
  close(place: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Undefined if it is not what was closed for this place. */
  open(place: string, closed: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export function createAtRest(db: Db): AtRest {
  let key: Promise<CryptoKey> | undefined;

  return {
    async close(place, bytes) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: ENCODER.encode(place) },
        await takeKey(),
        new Uint8Array(bytes),
      );
      const closed = new Uint8Array(NONCE_BYTES + sealed.byteLength);
      closed.set(iv);
      closed.set(new Uint8Array(sealed), NONCE_BYTES);
      return closed;
    },

    async open(place, closed) {
      const iv = closed.slice(0, NONCE_BYTES);
      const additionalData = ENCODER.encode(place);
      try {
        const sealed = closed.slice(NONCE_BYTES);
        return new Uint8Array(
          await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, await takeKey(), sealed),
        );
      } catch {
        return undefined;
      }
    },
  };

  function takeKey(): Promise<CryptoKey> {
    key ??= findOrMakeKey(db).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  }
}

/** Of two tabs that start together the second takes the first one's key. */
async function findOrMakeKey(db: Db): Promise<CryptoKey> {
  const kept = await readLocalKey(db);
  if (kept !== undefined) return kept;
  const fresh = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return db.transaction('rw', [db.meta], async () => {
    const meanwhile = await readLocalKey(db);
    if (meanwhile === undefined) await writeLocalKey(db, fresh);
    return meanwhile ?? fresh;
  });
}
