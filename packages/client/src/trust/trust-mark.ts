/**
 * Every sealed message names the trust list of the browser that wrote it, for the author's other browsers. If the
 * server gives a browser an older list, that browser notices at the next message of its own account.
 *
 * The mark is encrypted under a key that only this account has: the recipient learns nothing from it.
 */
import { fromBase64, toBase64 } from '../crypto/base64.ts';
import { AES, deriveKey } from '../crypto/derive-key.ts';

export interface TrustListVersion {
  rev: number;
  /** The hash of the list at that revision. */
  hash: string;
}

export interface TrustMarks {
  make(version: TrustListVersion): Promise<string>;
  /** Undefined for a mark that another account wrote. */
  read(mark: string): Promise<TrustListVersion | undefined>;
}

const NONCE_BYTES = 12;
const REV_BYTES = 8;
export const HASH_BYTES = 16;

/** `seed`: the private user-signing key, which every browser of the account has and which outlives the password. */
export async function openTrustMarks(seed: Uint8Array<ArrayBuffer>): Promise<TrustMarks> {
  const key = await deriveKey(seed, 'dostar trust mark 1', AES, ['encrypt', 'decrypt']);
  return {
    async make({ rev, hash }) {
      const plain = new Uint8Array(REV_BYTES + HASH_BYTES);
      new DataView(plain.buffer).setBigUint64(0, BigInt(rev));
      plain.set(fromBase64(hash), REV_BYTES);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain));
      const mark = new Uint8Array(NONCE_BYTES + sealed.length);
      mark.set(iv);
      mark.set(sealed, NONCE_BYTES);
      return toBase64(mark);
    },
    async read(mark) {
      try {
        const bytes = fromBase64(mark);
        const iv = bytes.slice(0, NONCE_BYTES);
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(NONCE_BYTES));
        return { rev: Number(new DataView(plain).getBigUint64(0)), hash: toBase64(new Uint8Array(plain, REV_BYTES)) };
      } catch {
        return undefined;
      }
    },
  };
}
