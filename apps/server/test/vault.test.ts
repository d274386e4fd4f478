import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { getVault, putVault } from '@dostar/protocol/contract/vault';
import { startSession } from '../src/features/sessions/service.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => world[Symbol.asyncDispose]());

test('K14: a vault is written over the revision that was read; whoever was slower reads again', async () => {
  const alice = await world.addAccount(1);
  expect(await world.call(getVault, alice, { kind: 'secrets' })).toMatchObject({ body: { rev: 0, blob: null } });
  const both = await Promise.all(
    ['AAAA', 'BBBB'].map((blob) => world.call(putVault, alice, { kind: 'secrets', rev: 0, blob })),
  );
  expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(both.find((answer) => answer.status === 409)?.body).toMatchObject({
    error: 'stale_revision',
    details: { rev: 1 },
  });
  expect(await world.call(putVault, alice, { kind: 'secrets', rev: 1, blob: 'CCCC' })).toMatchObject({
    body: { rev: 2 },
  });
  expect(await world.call(getVault, alice, { kind: 'secrets' })).toMatchObject({ body: { rev: 2, blob: 'CCCC' } });
  expect(await world.call(getVault, alice, { kind: 'profile' })).toMatchObject({ body: { rev: 0 } });
});

test('K14: a session that owes a second factor gets no vault', async () => {
  const alice = await world.addAccount(1);
  await world.call(putVault, alice, { kind: 'secrets', rev: 0, blob: 'AAAA' });
  const waiting = await startSession(world.ctx, alice.account, '', { isPending: true });
  expect((await world.call(getVault, waiting, { kind: 'secrets' })).status).toBeGreaterThanOrEqual(401);
  expect(
    (await world.call(putVault, waiting, { kind: 'secrets', rev: 1, blob: 'BBBB' })).status,
  ).toBeGreaterThanOrEqual(401);
});
