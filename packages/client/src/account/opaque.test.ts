import * as library from '@serenity-kit/opaque';
import { beforeAll, expect, test } from 'vitest';
import { createOpaqueClient, STRETCHING_NAME } from './opaque.ts';
import type { OpaqueClient, Stretching } from './opaque.ts';

const WEAKER: Stretching = { memory: 8, iterations: 1, parallelism: 1 };
const STRONGER: Stretching = { memory: 16, iterations: 2, parallelism: 1 };
const ID = 'somebody';

let serverSetup: string;
beforeAll(async () => {
  await library.ready;
  serverSetup = library.server.createSetup();
});

const clientOf = (...stretchings: [Stretching, ...Stretching[]]) => createOpaqueClient(undefined, stretchings);

async function register(client: OpaqueClient, password: string) {
  const { state, request } = await client.startRegistration(password);
  const asked = { serverSetup, userIdentifier: ID, registrationRequest: request };
  const { registrationResponse } = library.server.createRegistrationResponse(asked);
  return client.finishRegistration(password, state, registrationResponse);
}

async function signIn(client: OpaqueClient, password: string, registrationRecord: string) {
  const { state, request } = await client.startLogin(password);
  const asked = { serverSetup, userIdentifier: ID, registrationRecord, startLoginRequest: request };
  return client.finishLogin(password, state, library.server.startLogin(asked).loginResponse);
}

test('H12: after a stronger setting, older passwords still sign in and derive the same key', async () => {
  const { record, exportKey } = await register(clientOf(WEAKER), 'correct horse');
  const newer = clientOf(STRONGER, WEAKER);
  expect((await signIn(newer, 'correct horse', record))?.exportKey).toBe(exportKey);
  expect(await signIn(newer, 'a guess', record)).toBeUndefined();
});

test('H12: new passwords are stretched by the strongest setting alone', async () => {
  const { record } = await register(clientOf(STRONGER, WEAKER), 'correct horse');
  expect(await signIn(clientOf(STRONGER), 'correct horse', record)).toBeDefined();
  expect(await signIn(clientOf(WEAKER), 'correct horse', record)).toBeUndefined();
});

test('H12: the program itself asks for 64 MiB and three passes at least', () => {
  const [, memory, iterations] = STRETCHING_NAME.split(' ');
  expect(Number(memory)).toBeGreaterThanOrEqual(65_536);
  expect(Number(iterations)).toBeGreaterThanOrEqual(3);
});
