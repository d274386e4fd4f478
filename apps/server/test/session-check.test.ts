/** A refused session says whether it expired: a browser keeps or removes its data accordingly. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getSession } from '@dostar/protocol/contract/sessions';
import { AppError } from '@dostar/protocol/errors';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { revokeSession, listSessionsOf, SESSION_LIFETIME_MS } from '../src/features/identity/sessions/service.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('a browser without a cookie is told that it has none', async () => {
  expect(await cluster.call(getSession, undefined)).toMatchObject({
    status: 401,
    body: { error: 'unauthenticated', details: { reason: 'missing' } },
  });
});

test('a session that was ended is refused without a reason', async () => {
  const person = await cluster.addAccount();
  const [session] = await listSessionsOf(cluster.ctx, person.account);
  await revokeSession(cluster.ctx, person.account, session!.id);
  const { status, body } = await cluster.call(getSession, person);
  expect({ status, body }).toEqual({ status: 401, body: { success: false, error: 'unauthenticated' } });
});

test('an expired session is reported as such', async () => {
  const person = await cluster.addAccount();
  expect(await cluster.call(getSession, person)).toMatchObject({ status: 200 });
  skippedMs += SESSION_LIFETIME_MS + 1_000;
  expect(await cluster.call(getSession, person)).toMatchObject({
    status: 401,
    body: { error: 'unauthenticated', details: { reason: 'expired' } },
  });
});

test('a call for a shard whose breaker is open is refused at once, even while a lookup still waits for the shard', async () => {
  const [one, other] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  const shard = cluster.ctx.shards.byId(0);
  const hanging = Promise.withResolvers<never>();
  const asked = vi.spyOn(shard, 'query').mockReturnValue(hanging.promise);
  try {
    const waiting = cluster.call(getSession, one);
    // The process also queries the shard for other reasons.
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0);
    shard.breaker.failed();
    shard.breaker.failed();
    expect(await cluster.call(getSession, other)).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    hanging.reject(new AppError('unavailable'));
    expect(await waiting).toMatchObject({ status: 503 });
  } finally {
    asked.mockRestore();
    shard.breaker.succeeded();
  }
  expect(await cluster.call(getSession, other)).toMatchObject({ status: 200 });
});

test('the sessions of many first calls at once are looked up in few queries', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => cluster.addAccount(0)));
  const shard = cluster.ctx.shards.byId(0);
  const leave = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const locking = shard.maintain((db) =>
    db.transaction().execute(async (tx) => {
      await sql`lock table session in access exclusive mode`.execute(tx);
      locked.resolve();
      await leave.promise;
    }),
  );
  await locked.promise;
  const asked = vi.spyOn(shard, 'query');
  let arrived = 0;
  const count = () => void (arrived += 1);
  subscribe('http.server.request.start', count);
  const calls = people.flatMap((person) => Array.from({ length: 8 }, () => cluster.call(getSession, person)));
  await expect.poll(() => arrived, { timeout: 60_000 }).toBe(calls.length);
  unsubscribe('http.server.request.start', count);
  leave.resolve();
  const answers = await Promise.all(calls);
  await locking;
  const lookUps = asked.mock.calls.length;
  asked.mockRestore();
  expect(answers.map(({ body }) => body.account as string)).toEqual(
    people.flatMap(({ account }) => Array(8).fill(account)),
  );
  expect(lookUps).toBeLessThan(20);
});
