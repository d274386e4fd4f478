/** Emails about changes of an account, over HTTP and real SMTP. */
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import * as profile from '@dostar/protocol/contract/profile';
import * as opaque from '@serenity-kit/opaque';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Person } from './person.ts';
import { makeApp } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { makePasskey } from './soft-authenticator.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function newPerson(): Promise<Person> {
  const person = new Person(cluster.url, smtp);
  await person.signUp();
  return person;
}

const newName = (): string => `apple.${Math.random().toString(36).slice(2, 8)}`;

/** Subjects of the emails to the owner since the sign-up, without codes. */
function toldTo(person: Person): string[] {
  return person.listSubjects().filter((subject) => !subject.endsWith(' code'));
}

test('adding or removing a passkey sends an email, removing an unknown one does not', async () => {
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
    'Your username was changed',
  ]);
});

test('changes of second factors and recovery codes send emails', async () => {
  const person = await newPerson();
  await person.call(factors.startTotp, {});
  // A factor that was never confirmed does not count.
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

describe('a series of wrong passwords', () => {
  const WRONG = 'Wrong passwords for your Dostar account';

  test('sends one email, however long it takes', async () => {
    const person = await newPerson();
    for (let tries = 0; tries < 8; tries += 1) expect(await person.signIn('a guess')).toMatchObject({ status: 0 });
    await expect.poll(() => toldTo(person)).toContain(WRONG);
    expect(await person.signIn()).toMatchObject({ status: 200 });
    await expect.poll(() => toldTo(person)).toContain('New sign-in to your Dostar account');
    expect(toldTo(person).filter((subject) => subject === WRONG)).toHaveLength(1);
  });

  test('does not include typing errors before the right one', async () => {
    const person = await newPerson();
    for (let round = 0; round < 3; round += 1) {
      await person.signIn('a slip');
      expect(await person.signIn()).toMatchObject({ status: 200 });
    }
    await expect.poll(() => toldTo(person).length).toBe(3);
    expect(toldTo(person)).not.toContain(WRONG);
  });
});

test('wrong codes after the right password send one email', async () => {
  const person = await newPerson();
  const { secret } = (await person.call(factors.startTotp, {})).body;
  const code = makeApp(secret, Date.now);
  await person.call(factors.confirmFactor, { kind: 'totp', code: code() });
  await person.signIn();
  for (let tries = 0; tries < 6; tries += 1) {
    const wrong = await person.call(factors.verifyFactor, { kind: 'recoverycode', code: 'zzzzz-zzzzz' });
    expect(wrong).toMatchObject({ body: { error: 'wrong_code' } });
  }
  const MAY_KNOW = 'Someone may know your Dostar password';
  await expect.poll(() => toldTo(person)).toContain(MAY_KNOW);
  expect(await person.call(factors.verifyFactor, { kind: 'totp', code: code() })).toMatchObject({ status: 200 });
  await expect.poll(() => toldTo(person)).toContain('New sign-in to your Dostar account');
  expect(toldTo(person).filter((subject) => subject === MAY_KNOW)).toHaveLength(1);
});
