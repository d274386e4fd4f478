/** Emails about changes of an account, over HTTP and real SMTP. */
import * as factors from '@dostar/protocol/contract/factors';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import * as profile from '@dostar/protocol/contract/profile';
import * as opaque from '@serenity-kit/opaque';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Person } from './person.ts';
import { makeApp } from './service-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { makePasskey } from './soft-authenticator.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

let smtp: SmtpPeer;
let world: World;

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  world = await startWorld({ ...engines, env: { SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function newPerson(): Promise<Person> {
  const person = new Person(world.url, smtp);
  await person.signUp();
  return person;
}

const newName = (): string => `apple.${Math.random().toString(36).slice(2, 8)}`;

/** What the owner was told since they signed up, without codes. */
function toldTo(person: Person): string[] {
  return person.listSubjects().filter((subject) => !subject.endsWith(' code'));
}

test('a passkey that is added or removed is told by email, and nothing that was not there', async () => {
  const person = await newPerson();
  const { options, challenge } = (await person.call(passkeys.startPasskey, {})).body;
  const { passkey, response } = makePasskey(options);
  await person.call(passkeys.finishPasskey, { challenge, response, name: 'My phone' });
  await person.call(passkeys.removePasskey, { id: passkey.id });
  await person.call(passkeys.removePasskey, { id: passkey.id });
  await person.call(profile.changeUsername, { username: newName() });
  await expect.poll(() => toldTo(person).length).toBeGreaterThanOrEqual(3);
  expect(toldTo(person).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'A passkey was added',
    'A passkey was removed',
    'Your username has changed',
  ]);
});

test('second factors and their backup codes are told by email', async () => {
  const person = await newPerson();
  await person.call(factors.startTotp, {});
  // One that was never confirmed was none.
  await person.call(factors.removeFactor, { kind: 'totp' });
  const { secret } = (await person.call(factors.startTotp, {})).body;
  await person.call(factors.confirmFactor, { kind: 'totp', code: makeApp(secret, Date.now)() });
  await person.call(factors.renewRecoveryCodes, {});
  await person.call(factors.removeFactor, { kind: 'totp' });
  await expect.poll(() => toldTo(person).length).toBeGreaterThanOrEqual(3);
  expect(toldTo(person).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'A second step was turned off',
    'A second step was turned on',
    'You have new backup codes',
  ]);
});
