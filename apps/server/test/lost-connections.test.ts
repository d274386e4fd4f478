import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deliveredKey } from '@dostar/protocol/mailbox';
import { directChat } from '@dostar/protocol/ids';
import { Receipts } from '../src/features/messaging/mailbox/receipts.ts';
import { listRegisters } from '../src/features/messaging/mailbox/service.ts';
import { startSession } from '../src/features/identity/sessions/service.ts';
import { Shard } from '../src/platform/postgres/shards.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('a connection that breaks inside a transaction, between two statements, ends that call and not the process', async () => {
  const shard = cluster.ctx.shards.byId(0);
  const call = shard.transact(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    await shard.query((other) => sql`select pg_terminate_backend(${rows[0]!.pid}::int)`.execute(other));
    await sleep(100);
    await sql`select 1`.execute(db);
  });
  await expect(call).rejects.toThrow('unavailable');
  await expect(shard.query((db) => sql`select 1`.execute(db))).resolves.toBeDefined();
});

test('a shard that answers too slowly counts as unavailable, and gets no more calls', async () => {
  const clock = { now: () => 0 };
  const { url } = cluster.config.SHARD_URLS[0]!;
  await using shard = new Shard({ id: 0, database: { url, timeoutMs: 200 }, poolSize: 2, clock, log: cluster.ctx.log });
  const ask = () => shard.query((db) => sql`select pg_sleep(2)`.execute(db));
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('unavailable');
  await expect.poll(() => shard.breaker.isOpen).toBe(true);
  const asked = vi.fn<(db: unknown) => Promise<unknown>>();
  await expect(shard.query(asked)).rejects.toThrow('unavailable');
  expect(asked).not.toHaveBeenCalled();
});

test('calls that wait for a free connection longer than connecting may take are answered, and the breaker stays closed', async () => {
  const { url } = cluster.config.SHARD_URLS[0]!;
  const timeoutMs = 2_000;
  await using shard = new Shard({
    id: 0,
    database: { url, timeoutMs },
    poolSize: 1,
    queueMs: 60_000,
    clock: cluster.ctx.clock,
    log: cluster.ctx.log,
  });
  const leave = Promise.withResolvers<void>();
  const holding = shard.transact(() => leave.promise);
  const waiting = Promise.all(Array.from({ length: 20 }, () => shard.query((db) => sql`select 1`.execute(db))));
  setTimeout(leave.resolve, timeoutMs * 0.7);
  await expect(waiting).resolves.toHaveLength(20);
  await holding;
  expect(shard.breaker.isOpen).toBe(false);
});

test('a call that waits too long for a free connection is answered `unavailable`, and the breaker stays closed', async () => {
  const { url } = cluster.config.SHARD_URLS[0]!;
  await using shard = new Shard({
    id: 0,
    database: { url, timeoutMs: 60_000 },
    poolSize: 1,
    queueMs: 50,
    clock: cluster.ctx.clock,
    log: cluster.ctx.log,
  });
  const leave = Promise.withResolvers<void>();
  const holding = shard.transact(() => leave.promise);
  const ask = () => shard.query((db) => sql`select 1`.execute(db));
  await expect(Promise.allSettled([ask(), ask(), ask()])).resolves.toMatchObject(
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: { code: 'unavailable' } })),
  );
  leave.resolve();
  await holding;
  await expect(ask()).resolves.toBeDefined();
});

test('R5: an ack for an unavailable shard is written once the shard is back', async () => {
  const [alice, bob] = [await cluster.addAccount(1), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  const { device } = await startSession(cluster.ctx, bob.account);
  await cluster.send(alice, bob, 'one');
  await using receipts = new Receipts(cluster.ctx);
  const { breaker } = cluster.ctx.shards.of(bob.account);
  breaker.failed();
  breaker.failed();

  receipts.ack(bob.account, device, 1);
  await receipts.flush();
  breaker.succeeded();
  await receipts.flush();

  const { registers } = await listRegisters(cluster.ctx, alice.account, 0);
  const key = deliveredKey(directChat(alice.account, bob.account), bob.account);
  expect(registers).toContainEqual(expect.objectContaining({ key, mark: 1 }));
});
