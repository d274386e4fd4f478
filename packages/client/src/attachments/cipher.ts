/**
 * Files are encrypted like the engine's attachments (v2): AES-256-CTR under a fresh key, the first counter block half
 * random and half zero, SHA-256 over the ciphertext. This works chunk by chunk, so that neither side needs the whole
 * file: the counter of a chunk follows from its number, and each chunk has its own hash.
 */
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { toBase64Url } from '../net/base64.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 8;
const BLOCK_BYTES = 16;
const COUNTER_BITS = 64;

export interface FileSecret {
  key: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
}

export function newFileSecret(random: (size: number) => Uint8Array): FileSecret {
  const iv = new Uint8Array(BLOCK_BYTES);
  iv.set(random(NONCE_BYTES));
  return { key: new Uint8Array(random(KEY_BYTES)), iv };
}

/** Encrypts and decrypts: in this mode both are the same operation. */
export async function applyCipher(
  { key, iv }: FileSecret,
  chunk: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const cipher = await crypto.subtle.importKey('raw', key, 'AES-CTR', false, ['encrypt']);
  const algorithm = { name: 'AES-CTR', counter: counterOf(iv, chunk), length: COUNTER_BITS };
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, cipher, bytes));
}

export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

function counterOf(iv: Uint8Array, chunk: number): Uint8Array<ArrayBuffer> {
  const counter = new Uint8Array(iv);
  const low = new DataView(counter.buffer, BLOCK_BYTES - COUNTER_BITS / 8);
  const blocks = BigInt(chunk) * BigInt(CHUNK_BYTES / BLOCK_BYTES);
  low.setBigUint64(0, BigInt.asUintN(COUNTER_BITS, low.getBigUint64(0) + blocks));
  return counter;
}
