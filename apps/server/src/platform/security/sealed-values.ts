/**
 * Encrypts values that leave the process and come back: jobs in NATS, tickets in a browser, states of a sign-in.
 *
 * Promise: a value sealed in one context opens in no other, and can't be read or changed unnoticed.
 * To rotate a key, put a new one in front; the old one opens what it sealed until it is removed.
 *
 * Nonces are random, so a key is good for some billions of values.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealer {
  /** `context` names what the value is for, and for whom if it matters. It is bound, not stored. The value is JSON. */
  seal(context: string, value: unknown): string;
  /** The same text for the same value, for URLs whose content browsers cache. */
  sealDeterministically(context: string, value: unknown): string;
  /** Undefined for anything that was not sealed here, in this context, unchanged. Parse it: an older version may have sealed it. */
  open(context: string, sealed: string): unknown;
  /** A keyed hash, for values that are compared and never read, such as codes. */
  mac(purpose: string, words: string): Buffer;
}

interface SealingKey {
  id: Buffer;
  cipherKey: Buffer;
  macKey: Buffer;
}

export function createSealer(secrets: readonly KeyObject[]): Sealer {
  const keys = secrets.map(deriveKey);
  const [current] = keys;
  if (!current) throw new Error('no key to seal with');

  function mac(purpose: string, words: string): Buffer {
    // Lengths keep 'ab' + 'c' apart from 'a' + 'bc'.
    return createHmac('sha256', current!.macKey).update(`${purpose.length} ${purpose}${words}`).digest();
  }

  return {
    seal: (context, value) => sealWith(current, randomBytes(NONCE_BYTES), context, JSON.stringify(value)),

    sealDeterministically(context, value) {
      const words = JSON.stringify(value);
      // A nonce that follows from all that is sealed comes twice only with the same words in the same context.
      return sealWith(current, mac(`nonce ${context}`, words).subarray(0, NONCE_BYTES), context, words);
    },

    open(context, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
      const key = keys.find(({ id }) => id.equals(bytes.subarray(0, KEY_ID_BYTES)));
      if (!key) return undefined;
      const nonce = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key.cipherKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const body = bytes.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES);
        return JSON.parse(Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')) as unknown;
      } catch {
        return undefined;
      }
    },

    mac,
  };
}

function deriveKey(secret: KeyObject): SealingKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'dostar', `${purpose} 1`, bytes));
  return { id: derive('key id', KEY_ID_BYTES), cipherKey: derive('seal', KEY_BYTES), macKey: derive('mac', KEY_BYTES) };
}

function sealWith({ id, cipherKey }: SealingKey, nonce: Buffer, context: string, words: string): string {
  const cipher = createCipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(words, 'utf8'), cipher.final()]);
  return Buffer.concat([id, nonce, body, cipher.getAuthTag()]).toString('base64url');
}
