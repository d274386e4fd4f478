/** A refused session says whether anybody ended it: a browser keeps or removes what it has by that. */
import { getSession } from '@dostar/protocol/contract/sessions';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { endSessionById, listSessionsOf, SESSION_LASTS_MS } from '../src/features/sessions/service.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a browser without a cookie is told that it has none', async () => {
  expect(await world.call(getSession, undefined)).toMatchObject({
    status: 401,
    body: { error: 'unauthenticated', details: { reason: 'missing' } },
  });
});

test('a session that somebody ended is refused without a reason', async () => {
  const person = await world.addAccount();
  const [session] = await listSessionsOf(world.ctx, person.account);
  await endSessionById(world.ctx, person.account, session!.id);
  const { status, body } = await world.call(getSession, person);
  expect({ status, body }).toEqual({ status: 401, body: { success: false, error: 'unauthenticated' } });
});

test('a session that ran out says so', async () => {
  const person = await world.addAccount();
  expect(await world.call(getSession, person)).toMatchObject({ status: 200 });
  skippedMs += SESSION_LASTS_MS + 1_000;
  expect(await world.call(getSession, person)).toMatchObject({
    status: 401,
    body: { error: 'unauthenticated', details: { reason: 'expired' } },
  });
});
