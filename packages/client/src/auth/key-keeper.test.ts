import { AccountId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createKeyKeeper } from './key-keeper.ts';

const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');

test('an account key is kept across a reload and gone once deleted', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const accountKey = crypto.getRandomValues(new Uint8Array(32));
  await createKeyKeeper(deps).put(alice, accountKey);
  expect(await createKeyKeeper(deps).get(alice)).toEqual(accountKey);
  await createKeyKeeper(deps).delete(alice);
  expect(await createKeyKeeper(deps).get(alice)).toBeUndefined();
});

test('what waits for a second factor survives a reload, is taken once, and gives way to a newer sign-in', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const secret = crypto.getRandomValues(new Uint8Array(64));
  await createKeyKeeper(deps).hold(alice, secret);
  expect(await createKeyKeeper(deps).takeHeld(alice)).toEqual(secret);
  expect(await createKeyKeeper(deps).takeHeld(alice)).toBeUndefined();
  await createKeyKeeper(deps).hold(alice, secret);
  await createKeyKeeper(deps).hold(bob, secret);
  expect(await createKeyKeeper(deps).takeHeld(alice)).toBeUndefined();
  expect(await createKeyKeeper(deps).get(alice)).toBeUndefined();
});
