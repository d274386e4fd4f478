import { accountDataKey, putAccountData } from '@dostar/protocol/contract/account-data';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

const name = 'n'.repeat(43);

test("A1: account data reaches the account's other devices and no other account", async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const phone = await cluster.addDevice(alice);
  using other = await cluster.connect(phone);
  using stranger = await cluster.connect(bob);
  for (const socket of [other, stranger]) socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  const value = Buffer.from('sealed').toString('base64url');
  expect(await cluster.call(putAccountData, alice, { name, value })).toMatchObject({ status: 200 });
  await other.until(
    () => other.all('register').some(({ register }) => register.key === accountDataKey(name)),
    'the register',
  );
  expect(other.all('register').at(-1)?.register).toMatchObject({ key: accountDataKey(name), value });
  expect(stranger.all('register').filter(({ register }) => register.key.startsWith('data/'))).toEqual([]);
});

test('A1: storing account data needs a session and a valid name', async () => {
  const alice = await cluster.addAccount(0);
  expect(await cluster.call(putAccountData, undefined, { name, value: 'AA' })).toMatchObject({ status: 401 });
  expect(await cluster.call(putAccountData, alice, { name: 'contact/somebody', value: 'AA' })).toMatchObject({
    status: 400,
  });
  expect(await cluster.call(putAccountData, alice, { name, value: 'A'.repeat(50_000) })).toMatchObject({ status: 400 });
});
