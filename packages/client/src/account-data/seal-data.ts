/** Seals account data under subkeys of the account key: the account's devices can decrypt it, the server can't. */
import { AccountDataName } from '@dostar/protocol/contract/account-data';
import { padContent } from '@dostar/protocol/content/codec';
import { z } from 'zod';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

/** Each item with the time and the device of its last change; without a value it was deleted (SPEC A2). */
const SealedItem = z.object({ at: z.number(), device: z.string(), value: z.unknown().optional() });
export type SealedItem = z.infer<typeof SealedItem>;

const Document = z.object({ doc: z.string(), items: z.record(z.string(), SealedItem) });
export type Document = z.infer<typeof Document>;

export interface DataCipher {
  /** The name of a document on the server. */
  nameOf(doc: string): Promise<string>;
  /** Undefined if it is larger than the largest padding. */
  seal(document: Document): Promise<{ name: string; value: string } | undefined>;
  /** Undefined if it was not encrypted by this account, or for another name. */
  open(name: string, value: string): Promise<Document | undefined>;
}

export async function openDataCipher(accountKey: Uint8Array<ArrayBuffer>): Promise<DataCipher> {
  const base = await crypto.subtle.importKey('raw', accountKey, 'HKDF', false, ['deriveKey']);
  const [key, namer] = await Promise.all([
    derive(base, 'values', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    derive(base, 'names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ]);

  async function nameOf(doc: string): Promise<string> {
    return AccountDataName.parse(
      toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', namer, ENCODER.encode(doc)))),
    );
  }

  return {
    nameOf,

    async seal(document) {
      const plaintext = padContent(ENCODER.encode(JSON.stringify(document)));
      if (plaintext === undefined) return undefined;
      const name = await nameOf(document.doc);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const algorithm = { name: 'AES-GCM', iv, additionalData: ENCODER.encode(name) };
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new Uint8Array(plaintext)));
      const value = new Uint8Array(NONCE_BYTES + sealed.length);
      value.set(iv);
      value.set(sealed, NONCE_BYTES);
      return { name, value: toBase64Url(value) };
    },

    async open(name, value) {
      try {
        const bytes = fromBase64Url(value);
        const iv = bytes.slice(0, NONCE_BYTES);
        const algorithm = { name: 'AES-GCM', iv, additionalData: ENCODER.encode(name) };
        const plaintext = await crypto.subtle.decrypt(algorithm, key, bytes.slice(NONCE_BYTES));
        return Document.parse(JSON.parse(new TextDecoder().decode(plaintext)));
      } catch {
        return undefined;
      }
    },
  };
}

function derive(
  base: CryptoKey,
  purpose: string,
  algorithm: AesKeyGenParams | HmacKeyGenParams,
  uses: KeyUsage[],
): Promise<CryptoKey> {
  const info = ENCODER.encode(`dostar account-data 1 ${purpose}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info };
  return crypto.subtle.deriveKey(hkdf, base, algorithm, false, uses);
}
