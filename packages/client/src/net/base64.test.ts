import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64Url, toBase64Url } from './base64.ts';

test('decoding gives back the encoded bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }),
  );
});

test('the alphabet is safe in URLs and has no padding', () => {
  expect(toBase64Url(Uint8Array.of(0xfb, 0xff, 0xfe, 0xff))).toBe('-__-_w');
});

test('the largest message can be encoded and decoded', () => {
  const bytes = new Uint8Array(64 * 1024).fill(7);
  expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
});
