import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newMessageId } from './message-id.ts';

const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

test('a message id is a UUID of version 7 that begins with the time', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 48 - 1 }), bytes, (now, chance) => {
      const id = newMessageId(now, () => chance);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(now);
    }),
  );
});

test('each of its random bits comes from a different bit of the random bytes', () => {
  const id = newMessageId(0x0123456789ab, () =>
    Uint8Array.of(0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd),
  );
  expect(id).toBe('01234567-89ab-7abc-9f01-23456789abcd');
});
