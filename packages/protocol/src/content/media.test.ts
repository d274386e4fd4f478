import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countChunks } from '../contract/blobs.ts';
import { CHUNK_BYTES, MAX_FILE_BYTES, padSize } from './media.ts';

const size = fc.oneof(
  fc.nat(MAX_FILE_BYTES),
  fc.nat(CHUNK_BYTES),
  fc.nat(31).map((bits) => 2 ** bits),
  fc.nat(400).map((chunks) => Math.min(MAX_FILE_BYTES, chunks * CHUNK_BYTES)),
);

test('F6: padding adds at most 6 % and a megabyte to a file, and no chunk', () => {
  fc.assert(
    fc.property(size, (real) => {
      const padded = padSize(real);
      expect(padded).toBeGreaterThanOrEqual(real);
      expect(padded).toBeLessThanOrEqual(Math.max(4096, Math.min(real * 1.0625, real + 1024 ** 2)));
      expect(padded).toBeLessThanOrEqual(MAX_FILE_BYTES);
      expect(countChunks(padded)).toBe(countChunks(real));
      expect(padSize(padded)).toBe(padded);
    }),
    { numRuns: 2000 },
  );
});

test('F6: all lengths up to 64 MB are padded to a few hundred sizes', () => {
  const lengths = new Set<number>();
  for (let at = 0; at <= 64 * 1024 ** 2; at = lengths.has(padSize(at)) ? at + 1021 : padSize(at) + 1) {
    lengths.add(padSize(at));
  }
  expect(lengths.size).toBeLessThan(450);
});
