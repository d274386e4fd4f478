import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { Attachment, EncryptedAttachment, initAsync } from '@matrix-org/matrix-sdk-crypto-wasm';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { hashOf, newFileSecret, applyCipher } from '../../attachments/cipher.ts';
import { fromBase64Url, toBase64Url } from '../../net/base64.ts';

beforeAll(() => initAsync(), 60_000);

function random(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}

function infoOf(key: string, iv: string, sha256: string): string {
  const jwk = { kty: 'oct', alg: 'A256CTR', ext: true, k: key, key_ops: ['encrypt', 'decrypt'] };
  return JSON.stringify({ v: 'v2', key: jwk, iv, hashes: { sha256 } });
}

/** In the encoding of the engine, whose base64 alphabet is another one. */
function plainBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/');
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

async function seal(plain: Uint8Array<ArrayBuffer>) {
  const secret = newFileSecret(random);
  const sealed = new Uint8Array(plain.length);
  for (let at = 0, n = 0; at < Math.max(1, plain.length); at += CHUNK_BYTES, n += 1) {
    sealed.set(await applyCipher(secret, n, plain.slice(at, at + CHUNK_BYTES)), at);
  }
  return { secret, sealed };
}

test.each([0, 1, 15, 16, 1000, CHUNK_BYTES, 2 * CHUNK_BYTES + 77])(
  'what we seal of %i bytes, the engine opens',
  async (size) => {
    const plain = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) plain.set(random(Math.min(65_536, size - at)), at);
    const { secret, sealed } = await seal(plain);
    const hash = plainBase64(await hashOf(sealed));
    const info = infoOf(toBase64Url(secret.key), plainBase64(toBase64Url(secret.iv)), hash);
    const opened = Attachment.decrypt(new EncryptedAttachment(sealed, info));
    expect(isSame(opened, plain)).toBe(true);
  },
  60_000,
);

test('attachments sealed by the engine open, and the hash of a small file is the hash of its only chunk', async () => {
  const plain = random(5000);
  const attachment = Attachment.encrypt(plain);
  const sealed = new Uint8Array(attachment.encryptedData);
  const info = JSON.parse(attachment.mediaEncryptionInfo!);
  const secret = { key: fromBase64Url(info.key.k), iv: fromBase64Url(info.iv) };
  expect(isSame(await applyCipher(secret, 0, sealed), plain)).toBe(true);
  expect(await hashOf(sealed)).toBe(toBase64Url(fromBase64Url(info.hashes.sha256)));
});

test('no two blocks of a file, nor of two files, are sealed under the same counter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(400), fc.nat(400), async (one, other) => {
      fc.pre(one !== other);
      const secret = newFileSecret(random);
      const zeros = new Uint8Array(64);
      const isRepeated = isSame(await applyCipher(secret, one, zeros), await applyCipher(secret, other, zeros));
      expect(isRepeated).toBe(false);
    }),
    { numRuns: 50 },
  );
});
