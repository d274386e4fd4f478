import { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { unwrapAccountKey, wrapAccountKey } from './account-key.ts';

const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));

test('the secret that wrapped an account key opens it, and no other does', async () => {
  const [accountKey, secret] = [random(32), random(64)];
  const wrap = await wrapAccountKey(accountKey, secret, { account: alice, method: 'password', random });
  expect(await unwrapAccountKey(wrap, secret, alice)).toEqual(accountKey);
  expect(await unwrapAccountKey(wrap, random(64), alice)).toBeUndefined();
});

test('a wrap of one account or method is not accepted for another one', async () => {
  const [accountKey, secret] = [random(32), random(64)];
  const wrap = await wrapAccountKey(accountKey, secret, { account: alice, method: 'password', random });
  expect(await unwrapAccountKey(wrap, secret, bob)).toBeUndefined();
  expect(await unwrapAccountKey({ ...wrap, method: 'recovery' }, secret, alice)).toBeUndefined();
});

test('two wraps of one key under one secret are different bytes', async () => {
  const [accountKey, secret] = [random(32), random(64)];
  const options = { account: alice, method: 'password', random } as const;
  const [one, other] = [
    await wrapAccountKey(accountKey, secret, options),
    await wrapAccountKey(accountKey, secret, options),
  ];
  expect(one.blob).not.toBe(other.blob);
});
