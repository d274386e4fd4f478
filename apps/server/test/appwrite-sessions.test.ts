/** How long sessions of `/v1` last. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { markSessionUsed } from '../src/appwrite/accounts/store.ts';
import { findAppwriteAccountById } from '../src/appwrite/ids/service.ts';
import { addPerson } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let ahead = 0;
const now = (): number => Date.now() + ahead;

beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, overrides: { clock: { now } } });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('a session that nothing uses for 90 days ends, and one that is used does not', async () => {
  const [used, idle] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  const readUsed = async () => (await used.call('GET', '/account/sessions/current')).body.$updatedAt as string;
  try {
    for (const days of [60, 120]) {
      ahead = days * 24 * 3_600_000;
      expect(await used.call('GET', '/account')).toMatchObject({ status: 200 });
      await expect.poll(async () => Date.parse(await readUsed())).toBeGreaterThan(now() - 24 * 3_600_000);
    }
    expect(await idle.call('GET', '/account')).toMatchObject({
      status: 401,
      body: { type: 'general_unauthorized_scope' },
    });
  } finally {
    ahead = 0;
  }
});

test('a time of use that is stored late replaces no newer one', async () => {
  const person = await addPerson(cluster.url);
  const account = (await findAppwriteAccountById(cluster.ctx, person.id))!;
  const readSession = async () => (await person.call('GET', '/account/sessions/current')).body;
  const { $id: id, $updatedAt } = await readSession();
  const first = Date.parse($updatedAt);
  for (const time of [first + 2_000, first + 1_000]) {
    await cluster.ctx.shards.write(account, (db) => markSessionUsed(db, account, id, time));
  }
  expect(Date.parse((await readSession()).$updatedAt)).toBe(first + 2_000);
});

test('a session is prolonged by a year, and ends two years after the sign-in however often it is', async () => {
  const person = await addPerson(cluster.url);
  const since = now();
  const year = 365 * 24 * 3_600_000;
  const prolong = async (): Promise<number> => {
    const { body } = await person.call('PATCH', '/account/sessions/current', {});
    // The server stores the time of use after it has answered.
    const readUsed = async () => (await person.call('GET', '/account/sessions/current')).body.$updatedAt as string;
    await expect.poll(async () => Date.parse(await readUsed())).toBeGreaterThan(now() - 24 * 3_600_000);
    return Math.round((Date.parse(body.expire) - since) / year);
  };
  try {
    expect(await prolong()).toBe(1);
    // Every 88 days, because a session unused for 90 days would end for that reason.
    for (let times = 1; times <= 8; times += 1) {
      ahead = times * 88 * 24 * 3_600_000;
      expect(await prolong()).toBe(times < 3 ? 1 : 2);
    }
    ahead = 2 * year + 1_000;
    expect(await person.call('GET', '/account')).toMatchObject({ status: 401 });
  } finally {
    ahead = 0;
  }
});
