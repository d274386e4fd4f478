// @vitest-environment node
import { expect, test } from 'vitest';
import { createOpaqueClient, type OpaqueClient } from '../account/opaque.ts';
import { tryEngine, tryUnlock } from './self-check.ts';

const random = (size: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(size));

test('the engine seals a message and opens it again', async () => {
  expect(await tryEngine('Сәлем, достар!')).toBe(true);
});

test('a password opens the account key, and a library that derives another key is detected', async () => {
  const opaque = createOpaqueClient();
  expect(await tryUnlock(opaque, random)).toBe(true);
  const other: OpaqueClient = { ...opaque, finishLogin: async () => ({ finish: '', exportKey: 'A'.repeat(86) }) };
  expect(await tryUnlock(other, random)).toBe(false);
});
