/** Reports, the audit log and expired rows of `/v1` are deleted after their retention time. */
import { randomUUID } from 'node:crypto';
import { reportAccount } from '@dostar/protocol/contract/contacts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { deleteOldAuditEntries } from '../src/features/operations/audit-log/jobs.ts';
import { listNewestAuditEntries, recordAuditEntry } from '../src/features/operations/audit-log/service.ts';
import { deleteOldReports } from '../src/features/people/reports/jobs.ts';
import { closeReport, listReportsOf } from '../src/features/people/reports/service.ts';
import { deleteExpired } from '../src/appwrite/accounts/jobs.ts';
import { addPerson } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const DAY_MS = 24 * 3_600_000;

let cluster: TestCluster;
let skippedMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + skippedMs };
  const env = { ROLES: 'api' };
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env,
    overrides: { clock },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  skippedMs = 0;
});

test('a closed report is deleted after half a year, an open one after two', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  for (const note of ['closed', 'open']) {
    const said = { act: randomUUID(), peer: bob.account, reason: 'spam' as const, note };
    expect(await cluster.call(reportAccount, alice, said)).toMatchObject({ status: 200 });
  }
  const listed = async () => (await listReportsOf(cluster.ctx, bob.account)).map(({ note }) => note ?? '').toSorted();
  const closed = (await listReportsOf(cluster.ctx, bob.account)).find(({ note }) => note === 'closed')!;
  await closeReport(cluster.ctx, closed);
  skippedMs = 179 * DAY_MS;
  await deleteOldReports(cluster.ctx);
  expect(await listed()).toEqual(['closed', 'open']);
  skippedMs = 181 * DAY_MS;
  await deleteOldReports(cluster.ctx);
  expect(await listed()).toEqual(['open']);
  skippedMs = 731 * DAY_MS;
  await deleteOldReports(cluster.ctx);
  expect(await listed()).toEqual([]);
});

async function recordDaysAgo(days: number): Promise<string> {
  const words = `${days} days ago`;
  skippedMs = -days * DAY_MS;
  await recordAuditEntry(cluster.ctx, { operator: 'tester', words }, () => Promise.resolve());
  skippedMs = 0;
  return words;
}

test('an entry of the audit log is deleted after two years, whatever the clock of the server says', async () => {
  const [young] = [await recordDaysAgo(729), await recordDaysAgo(731)];
  skippedMs = 10 * 365 * DAY_MS;
  await deleteOldAuditEntries(cluster.ctx);
  expect((await listNewestAuditEntries(cluster.ctx, 10)).map(({ words }) => words)).toEqual([young]);
});

test('the role of the server can not change, delete or empty the audit log', async () => {
  const words = await recordDaysAgo(1);
  const before = await listNewestAuditEntries(cluster.ctx, 10);
  const { directory } = cluster.ctx;
  const subject = randomUUID();
  for (const attempt of [
    sql`update deed set words = 'other' where words = ${words}`,
    sql`update deed set outcome = 'failed' where words = ${words}`,
    sql`update deed set subject = ${subject} where words = ${words}`,
    sql`delete from deed where words = ${words}`,
    sql`truncate deed`,
  ]) {
    await expect(attempt.execute(directory)).rejects.toMatchObject({ code: '42501' });
  }
  expect(await listNewestAuditEntries(cluster.ctx, 10)).toEqual(before);
});

test('an entry’s account and outcome can be set only once', async () => {
  const { directory } = cluster.ctx;
  const words = randomUUID();
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await recordAuditEntry(cluster.ctx, { operator: 'tester', words }, async ({ about }) => {
    await about(alice.account);
    await expect(about(bob.account)).rejects.toMatchObject({ code: '42501' });
    const rewriting = sql`update deed set words = 'other' where words = ${words}`.execute(directory);
    await expect(rewriting).rejects.toMatchObject({ code: '42501' });
  });
  expect(await listNewestAuditEntries(cluster.ctx, 1)).toMatchObject([
    { words, subject: alice.account, outcome: 'done' },
  ]);
});

test('expired sessions of `/v1` are deleted, others stay', async () => {
  const person = await addPerson(cluster.url);
  const count = async (): Promise<number> => {
    const rows = await Promise.all(
      cluster.ctx.shards
        .all()
        .map((shard) => shard.query((db) => db.selectFrom('service_session').select('id').execute())),
    );
    return rows.flat().length;
  };
  await deleteExpired(cluster.ctx);
  expect(await count()).toBe(1);
  expect(await person.call('GET', '/account')).toMatchObject({ status: 200 });
  skippedMs = 366 * DAY_MS;
  await deleteExpired(cluster.ctx);
  expect(await count()).toBe(0);
});
