import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a connection that breaks inside a transaction, between two statements, ends that call and not the process', async () => {
  const shard = world.ctx.shards.byId(0);
  const call = shard.transact(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    await shard.query((other) => sql`select pg_terminate_backend(${rows[0]!.pid}::int)`.execute(other));
    await sleep(100);
    await sql`select 1`.execute(db);
  });
  await expect(call).rejects.toThrow('unavailable');
  await expect(shard.query((db) => sql`select 1`.execute(db))).resolves.toBeDefined();
});
