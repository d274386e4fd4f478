/** Changes of the credentials of a `/v1` account: its password, its address, its status. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isPassword } from '../src/appwrite/accounts/passwords.ts';
import {
  addPerson,
  addProductPerson,
  makeApp,
  PASSWORD,
  readEmail,
  AppwriteClient,
  writeAppwriteFile,
} from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;

beforeAll(async () => {
  smtp = await startSmtpPeer();
  const file = await writeAppwriteFile({ hosts: ['app.test'] });
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: file } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const guest = (): AppwriteClient => new AppwriteClient(cluster.url);
const refusal = (status: number, type: string) => ({ status, body: { type } });
const newAddress = (): string => `new-${Math.random().toString(36).slice(2, 10)}@example.org`;

function listSubjects(email: string): string[] {
  return smtp.emails
    .filter(({ to }) => to.includes(email))
    .map(({ raw }) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '');
}

test('a new password ends the other sessions and keeps the one that set it', async () => {
  const person = await addPerson(cluster.url);
  const other = await guest().signIn(person.email);
  const changed = await person.call('PATCH', '/account/password', { password: 'new one', oldPassword: PASSWORD });
  expect(changed).toMatchObject({ status: 200, body: { $id: person.id } });
  expect(JSON.stringify(changed.body)).not.toContain('argon2');
  expect(await person.call('GET', '/account')).toMatchObject({ status: 200 });
  expect(await other.call('GET', '/account')).toMatchObject(refusal(401, 'general_unauthorized_scope'));
  const old = { email: person.email, password: PASSWORD };
  expect(await guest().call('POST', '/account/sessions/email', old)).toMatchObject({ status: 401 });
  await guest().signIn(person.email, 'new one');
});

test('changes are emailed to a verified address, and never to an unverified one', async () => {
  const [person, unproved] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  await prove(person.email, person);
  const change = { password: 'new one', oldPassword: PASSWORD };
  for (const each of [unproved, person]) {
    expect(await each.call('PATCH', '/account/password', change)).toMatchObject({ status: 200 });
  }
  const { body: made } = await person.call('POST', '/account/mfa/authenticators/totp', {});
  await person.call('PUT', '/account/mfa/authenticators/totp', { otp: makeApp(made.secret, Date.now)() });
  await person.call('POST', '/account/mfa/recovery-codes', {});
  await person.call('PATCH', '/account/mfa', { mfa: true });
  await person.call('PATCH', '/account/mfa', { mfa: false });
  await person.call('PATCH', '/account/email', { email: newAddress(), password: 'new one' });
  const told = () => listSubjects(person.email);
  for (const line of [
    'The password of your app account was changed',
    'An authenticator app was added',
    'Your app account has new backup codes',
    'Two-step verification is on',
    'Two-step verification is off',
    'The email address of your app account was changed',
  ]) {
    await expect.poll(told).toContain(line);
  }
  expect(smtp.emails.filter(({ to }) => to.includes(unproved.email))).toEqual([]);
});

test('a verified address gets emails about sign-ins, and one about a series of wrong passwords or codes', async () => {
  const person = await addPerson(cluster.url);
  await prove(person.email, person);
  const told = () => listSubjects(person.email);
  await guest().signIn(person.email);
  await expect.poll(told).toContain('New sign-in with an app');
  const { body: made } = await person.call('POST', '/account/mfa/authenticators/totp', {});
  await person.call('PUT', '/account/mfa/authenticators/totp', { otp: makeApp(made.secret, Date.now)() });
  const { body: asked } = await person.call('POST', '/account/mfa/challenges', { factor: 'totp' });
  for (let n = 0; n < 5; n += 1) {
    const wrong = await person.call('PUT', '/account/mfa/challenges', { challengeId: asked.$id, otp: '000000' });
    expect(wrong).toMatchObject(refusal(401, 'user_invalid_token'));
  }
  await expect.poll(told).toContain('Someone may know the password of your app account');
  const wrong = { email: person.email, password: 'a guess' };
  for (let n = 0; n < 7; n += 1)
    expect(await guest().call('POST', '/account/sessions/email', wrong)).toMatchObject({ status: 401 });
  await expect.poll(told).toContain('Wrong passwords for your app account');
  await guest().signIn(person.email);
  await expect.poll(() => told().filter((subject) => subject === 'New sign-in with an app').length).toBe(2);
  for (const once of ['Someone may know the password of your app account', 'Wrong passwords for your app account']) {
    expect(told().filter((subject) => subject === once)).toHaveLength(1);
  }
});

test('changes need the old password, and guesses are limited', async () => {
  const person = await addPerson(cluster.url);
  const wanted = { password: 'stolen' };
  for (const given of [wanted, { ...wanted, oldPassword: 'wrong' }]) {
    const tried = await person.call('PATCH', '/account/password', given);
    expect(tried).toMatchObject(refusal(401, 'user_invalid_credentials'));
  }
  const short = { password: 'abc', oldPassword: PASSWORD };
  expect(await person.call('PATCH', '/account/password', short)).toMatchObject(
    refusal(400, 'general_argument_invalid'),
  );
  for (let n = 0; n < 7; n += 1)
    await person.call('PATCH', '/account/email', { email: newAddress(), password: 'wrong' });
  const right = { ...wanted, oldPassword: PASSWORD };
  expect(await person.call('PATCH', '/account/password', right)).toMatchObject(
    refusal(429, 'general_rate_limit_exceeded'),
  );
  await guest().signIn(person.email);
});

test('a new address must be verified, and the old one is free', async () => {
  const person = await addPerson(cluster.url);
  await prove(person.email, person);
  const email = newAddress();
  const wrong = await person.call('PATCH', '/account/email', { email, password: 'wrong' });
  expect(wrong).toMatchObject(refusal(401, 'user_invalid_credentials'));
  const changed = await person.call('PATCH', '/account/email', { email: email.toUpperCase(), password: PASSWORD });
  expect(changed).toMatchObject({ status: 200, body: { email, emailVerification: false } });
  await guest().signIn(email);
  const old = { email: person.email, password: PASSWORD };
  expect(await guest().call('POST', '/account/sessions/email', old)).toMatchObject({ status: 401 });
  const free = { userId: 'unique()', ...old };
  expect(await guest().call('POST', '/account', free)).toMatchObject({ status: 201 });
});

test('an address that an account has, on either API, is refused', async () => {
  const [person, other] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  const taken = await person.call('PATCH', '/account/email', { email: other.email, password: PASSWORD });
  expect(taken).toMatchObject(refusal(400, 'general_bad_request'));
  expect(await person.call('GET', '/account')).toMatchObject({ body: { email: person.email } });
  // Setting the same address again changes nothing.
  const same = await person.call('PATCH', '/account/email', { email: person.email, password: PASSWORD });
  expect(same).toMatchObject({ status: 200 });
});

test('an email to the old address verifies nothing about the new one', async () => {
  const person = await addPerson(cluster.url);
  await person.call('POST', '/account/verification', { url: 'https://app.test/v' });
  const verification = bring(await readEmail(smtp, person.email));
  await guest().call('POST', '/account/recovery', { email: person.email, url: 'https://app.test/r' });
  const recovery = bring(await readEmail(smtp, person.email, 2));
  await person.call('PATCH', '/account/email', { email: newAddress(), password: PASSWORD });
  expect(await guest().call('PUT', '/account/verification', verification)).toMatchObject(
    refusal(401, 'user_invalid_token'),
  );
  expect(await guest().call('PUT', '/account/recovery', { ...recovery, password: 'stolen' })).toMatchObject(
    refusal(401, 'user_invalid_token'),
  );
  expect(await person.call('GET', '/account')).toMatchObject({ body: { emailVerification: false } });
});

test('a user who closes their account is signed out and cannot sign in', async () => {
  const person = await addPerson(cluster.url);
  const other = await guest().signIn(person.email);
  const closed = await person.call('PATCH', '/account/status', {});
  expect(closed).toMatchObject({ status: 200, body: { $id: person.id, status: false } });
  for (const client of [person, other]) expect(await client.call('GET', '/account')).toMatchObject({ status: 401 });
  const again = { email: person.email, password: PASSWORD };
  expect(await guest().call('POST', '/account/sessions/email', again)).toMatchObject(refusal(403, 'user_blocked'));
});

test('a product user can change none of this on /v1', async () => {
  const own = await addProductPerson(cluster);
  for (const [path, body] of [
    ['/account/password', { password: 'stolen', oldPassword: '' }],
    ['/account/email', { email: newAddress(), password: 'abcd' }],
    ['/account/status', {}],
  ] as const) {
    expect(await own.call('PATCH', path, body)).toMatchObject(refusal(401, 'general_unauthorized_scope'));
  }
});

function bring({ searchParams }: URL): { userId: string | null; secret: string | null } {
  return { userId: searchParams.get('userId'), secret: searchParams.get('secret') };
}

async function prove(email: string, person: AppwriteClient): Promise<void> {
  await person.call('POST', '/account/verification', { url: 'https://app.test/v' });
  const brought = bring(await readEmail(smtp, email));
  expect(await guest().call('PUT', '/account/verification', brought)).toMatchObject({ status: 200 });
  expect(await person.call('GET', '/account')).toMatchObject({ body: { emailVerification: true } });
}

const guess = (from: AppwriteClient) =>
  from.call('POST', '/account/sessions/email', { email: newAddress(), password: 'a guess' });

test('guesses for many addresses from one network are limited, and correct passwords cost no try', async () => {
  const person = await addPerson(cluster.url);
  const [there, elsewhere] = [guest(), guest()];
  const enter = () => there.call('POST', '/account/sessions/email', { email: person.email, password: PASSWORD });
  for (let n = 0; n < 49; n += 1) expect(await guess(there)).toMatchObject({ status: 401 });
  for (let n = 0; n < 3; n += 1) expect(await enter()).toMatchObject({ status: 201 });
  expect(await guess(there)).toMatchObject(refusal(401, 'user_invalid_credentials'));
  expect(await guess(there)).toMatchObject(refusal(429, 'general_rate_limit_exceeded'));
  expect(await guess(elsewhere)).toMatchObject(refusal(401, 'user_invalid_credentials'));
});

test('when too many passwords are checked at once, further ones are refused with a retry later', async () => {
  const crowd = await Promise.allSettled(Array.from({ length: 150 }, () => isPassword('a guess')));
  const refused = crowd.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(refused).toHaveLength(48);
  expect(refused[0]).toMatchObject({ code: 'unavailable' });
  expect(await isPassword('a guess')).toBe(false);
});

test('an operator who asks for eight characters refuses shorter and common passwords', async () => {
  const env = {
    PASSWORD_MIN_LENGTH: '8',
    SMTP_URL: smtp.url,
    APPWRITE_CONFIG_FILE: await writeAppwriteFile({ hosts: ['app.test'] }),
  };
  await using strict = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
  const client = new AppwriteClient(strict.url);
  const email = newAddress();
  const create = (password: string) => client.call('POST', '/account', { userId: 'unique()', email, password });
  for (const password of ['seven77', 'password', `${email.split('@')[0]}1`]) {
    expect(await create(password)).toMatchObject(refusal(400, 'general_argument_invalid'));
  }
  expect(await create('steppe wind')).toMatchObject({ status: 201 });
  const person = await client.signIn(email, 'steppe wind');
  const change = { password: 'iloveyou', oldPassword: 'steppe wind' };
  const refused = refusal(400, 'general_argument_invalid');
  expect(await person.call('PATCH', '/account/password', change)).toMatchObject(refused);

  await client.call('POST', '/account/recovery', { email, url: 'https://app.test/r' });
  const { searchParams } = await readEmail(smtp, email);
  const brought = { userId: searchParams.get('userId'), secret: searchParams.get('secret') };
  expect(await client.call('PUT', '/account/recovery', { ...brought, password: 'iloveyou' })).toMatchObject(refused);
  // The refused call did not use the link up.
  const set = await client.call('PUT', '/account/recovery', { ...brought, password: 'another wind' });
  expect(set).toMatchObject({ status: 200 });
});
