import { AccountId } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { AppLocked } from '../app-lock/app-locked.ts';
import { wrapAccountKey } from './account-key.ts';
import type { KeyStore } from './key-store.ts';
import { hasAccountKey, unlockAccount } from './unlock.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const random = (size: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(size));

/** The app lock locks this account's keys in this browser. */
const locked = {
  put: vi.fn(async () => Promise.reject(new AppLocked())),
  get: vi.fn(async () => Promise.reject(new AppLocked())),
} as unknown as KeyStore;

test('L3: signing in to an account whose keys are locked here succeeds, and leaves them as they are', async () => {
  const secret = random(64);
  const wrap = await wrapAccountKey(random(32), secret, { account, method: 'password', random });
  const call = vi.fn(async () => ({ wraps: [wrap], passwordSince: 1 })) as never;
  expect(await unlockAccount({ keys: locked, call, account }, secret)).toBe(true);
  expect(await hasAccountKey(locked, account)).toBe(true);
});

test('if the key store fails for another reason, the sign-in fails', async () => {
  const full = { get: async () => Promise.reject(new Error('the disk is full')) } as unknown as KeyStore;
  await expect(hasAccountKey(full, account)).rejects.toThrow('full');
});
