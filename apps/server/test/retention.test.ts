/** Reports, the audit log and expired rows of `/v1` end by themselves. */
import { randomUUID } from 'node:crypto';
import { reportAccount } from '@dostar/protocol/contract/contacts';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { deleteOldDeeds } from '../src/features/deeds/jobs.ts';
import { listNewestDeeds, recordDeed } from '../src/features/deeds/service.ts';
import { deleteOldReports } from '../src/features/reports/jobs.ts';
import { closeReport, listReportsOf } from '../src/features/reports/service.ts';
import { deleteExpired } from '../src/appwrite/accounts/jobs.ts';
import { addPerson } from './service-people.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

const DAY_MS = 24 * 3_600_000;

let world: World;
let skippedMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + skippedMs };
  const env = { ROLES: 'api' };
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env,
    overrides: { clock },
  });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  skippedMs = 0;
});

test('a closed report goes after half a year, an open one after two', async () => {
  const [alice, bob] = [await world.addAccount(0), await world.addAccount(1)];
  for (const note of ['closed', 'open']) {
    const said = { act: randomUUID(), peer: bob.account, reason: 'spam' as const, note };
    expect(await world.call(reportAccount, alice, said)).toMatchObject({ status: 200 });
  }
  const listed = async () => (await listReportsOf(world.ctx, bob.account)).map(({ note }) => note ?? '').toSorted();
  const closed = (await listReportsOf(world.ctx, bob.account)).find(({ note }) => note === 'closed')!;
  await closeReport(world.ctx, closed);
  skippedMs = 179 * DAY_MS;
  await deleteOldReports(world.ctx);
  expect(await listed()).toEqual(['closed', 'open']);
  skippedMs = 181 * DAY_MS;
  await deleteOldReports(world.ctx);
  expect(await listed()).toEqual(['open']);
  skippedMs = 731 * DAY_MS;
  await deleteOldReports(world.ctx);
  expect(await listed()).toEqual([]);
});

test('an entry of the audit log goes after two years', async () => {
  await recordDeed(world.ctx, { operator: 'tester', words: 'once' }, () => Promise.resolve());
  const listed = async () => (await listNewestDeeds(world.ctx, 10)).map(({ words }) => words);
  skippedMs = 729 * DAY_MS;
  await deleteOldDeeds(world.ctx);
  expect(await listed()).toEqual(['once']);
  skippedMs = 731 * DAY_MS;
  await deleteOldDeeds(world.ctx);
  expect(await listed()).toEqual([]);
});

test('expired sessions of `/v1` are deleted, others stay', async () => {
  const person = await addPerson(world.url);
  const count = async (): Promise<number> => {
    const rows = await Promise.all(
      world.ctx.shards
        .all()
        .map((shard) => shard.query((db) => db.selectFrom('service_session').select('id').execute())),
    );
    return rows.flat().length;
  };
  await deleteExpired(world.ctx);
  expect(await count()).toBe(1);
  expect(await person.call('GET', '/account')).toMatchObject({ status: 200 });
  skippedMs = 366 * DAY_MS;
  await deleteExpired(world.ctx);
  expect(await count()).toBe(0);
});
