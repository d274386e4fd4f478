import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { getStats } from '@dostar/protocol/contract/stats';
import { createAccount } from '../src/features/accounts/service.ts';
import { count, flushStats } from '../src/features/stats/service.ts';
import { callServer, newMessageId, startWorld } from './world.ts';
import type { World } from './world.ts';

let now = 1_800_000_000_000;
let world: World;
beforeAll(async () => {
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    overrides: { clock: { now: () => now } },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

async function readAfterwards(server = 0): Promise<unknown> {
  for (const { ctx } of world.servers) await flushStats(ctx);
  now += 10_000;
  return (await callServer(world.servers[server]!.url, getStats, undefined)).body;
}

test('a visitor without an account sees the counters', async () => {
  expect(await world.call(getStats, undefined)).toEqual({
    status: 200,
    body: { users: 0, messages: 0, verified: 0 },
  });
});

test('what each process counted is one sum, and nothing is counted twice', async () => {
  const [alice, bob] = [await world.addAccount(0), await world.addAccount(1)];
  await world.befriend(alice, bob);
  await createAccount(world.ctx, alice.account);
  const id = newMessageId();
  await world.send(alice, bob, 'hello', id);
  await world.send(alice, bob, 'hello', id);
  await world.send(bob, alice, 'hello back');
  count(world.servers[1]!.ctx, 'verified');
  expect(await readAfterwards(0)).toEqual({ users: 2, messages: 2, verified: 1 });
  expect(await readAfterwards(1)).toEqual({ users: 2, messages: 2, verified: 1 });
});

test('a crowd of visitors costs one query, and a newer number comes ten seconds later', async () => {
  await readAfterwards();
  count(world.ctx, 'messages', 5);
  await flushStats(world.ctx);
  const crowd = await Promise.all(Array.from({ length: 50 }, () => world.call(getStats, undefined)));
  expect(new Set(crowd.map(({ body }) => JSON.stringify(body)))).toEqual(
    new Set([JSON.stringify({ users: 2, messages: 2, verified: 1 })]),
  );
  now += 10_000;
  expect((await world.call(getStats, undefined)).body).toMatchObject({ messages: 7 });
});
