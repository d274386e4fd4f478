/** Passkeys over HTTP, with an authenticator in software: two api processes, real shards. */
import * as accounts from '@dostar/protocol/contract/accounts';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as opaque from '@serenity-kit/opaque';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Person } from './person.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { answer, makePasskey } from './soft-authenticator.ts';
import type { SoftPasskey } from './soft-authenticator.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    overrides: { clock },
    env: { SMTP_URL: smtp.url },
  });
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

async function addPasskey(person: Person, { unlocks = false } = {}): Promise<SoftPasskey> {
  const { options, challenge } = (await person.call(passkeys.startPasskey, {})).body;
  const { passkey, response } = makePasskey(options);
  const wrap = { method: 'passkey', params: 'random', blob: 'BBBB', credential: passkey.id } as const;
  const finished = await person.call(passkeys.finishPasskey, {
    challenge,
    response,
    name: 'My phone',
    ...(unlocks && { wrap }),
  });
  expect(finished).toMatchObject({ status: 200 });
  return passkey;
}

/** Signs in from a new browser. */
async function signIn(passkey: SoftPasskey) {
  const stranger = new Person(cluster.url, smtp);
  const { options, challenge } = (await stranger.call(passkeys.startPasskeyLogin, {})).body;
  const body = { challenge, response: answer(passkey, options) };
  return { stranger, body, reply: await stranger.call(passkeys.finishPasskeyLogin, body, cluster.servers[1]!.url) };
}

test('a passkey signs in without an address, and returns its own wrap', async () => {
  const person = await newPerson();
  const { account } = (await person.call(sessions.getSession)).body;
  const passkey = await addPasskey(person, { unlocks: true });
  await addPasskey(person);
  const { stranger, reply } = await signIn(passkey);
  expect(reply).toMatchObject({ status: 200, body: { account, owes: [] } });
  const { wraps } = (await stranger.call(passwords.listWraps)).body;
  expect(wraps).toContainEqual({ method: 'passkey', params: 'random', blob: 'BBBB', credential: passkey.id });
  const { passkeys: list } = (await stranger.call(passkeys.listPasskeys)).body;
  expect(list).toMatchObject([
    { id: passkey.id, name: 'My phone', unlocks: true },
    { unlocks: false, lastUsedAt: null },
  ]);
  expect(list[0].lastUsedAt).toBeGreaterThan(0);
});

test('an answer works once, also at another process, and not after five minutes', async () => {
  const passkey = await addPasskey(await newPerson());
  const { stranger, body } = await signIn(passkey);
  expect(await stranger.call(passkeys.finishPasskeyLogin, body)).toMatchObject({
    status: 401,
    body: { error: 'passkey_refused' },
  });
  const { options, challenge } = (await stranger.call(passkeys.startPasskeyLogin, {})).body;
  skippedMs += 5 * 60_000 + 1;
  const late = { challenge, response: answer(passkey, options) };
  expect(await stranger.call(passkeys.finishPasskeyLogin, late)).toMatchObject({ status: 401 });
});

test('of two answers to one challenge at the same moment one signs in', async () => {
  const passkey = await addPasskey(await newPerson());
  const stranger = new Person(cluster.url, smtp);
  const { options, challenge } = (await stranger.call(passkeys.startPasskeyLogin, {})).body;
  const body = { challenge, response: answer(passkey, options) };
  const replies = await Promise.all(
    cluster.servers.map(({ url }) => new Person(url, smtp).call(passkeys.finishPasskeyLogin, body)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
});

test('a wrong key, another origin, an unverified user and an invented challenge are refused', async () => {
  const person = await newPerson();
  const passkey = await addPasskey(person);
  const other = await addPasskey(await newPerson());
  const stranger = new Person(cluster.url, smtp);
  const { options, challenge } = (await stranger.call(passkeys.startPasskeyLogin, {})).body;
  const wrong = [
    answer({ ...passkey, privateKey: other.privateKey }, options),
    answer({ ...passkey, userHandle: other.userHandle }, options),
    answer(passkey, options, { origin: 'https://evil.example' }),
    answer(passkey, options, { isVerified: false }),
    answer(passkey, { ...options, challenge: Buffer.alloc(32).toString('base64url') }),
    answer({ ...passkey, userHandle: 'AAAA' }, options),
  ];
  for (const response of wrong) {
    expect(await stranger.call(passkeys.finishPasskeyLogin, { challenge, response })).toMatchObject({
      status: 401,
      body: { error: 'passkey_refused' },
    });
  }
  const made = (await person.call(passkeys.startPasskey, {})).body;
  const { response } = makePasskey(made.options, { isVerified: false });
  expect(
    await person.call(passkeys.finishPasskey, { challenge: made.challenge, response, name: 'Unverified' }),
  ).toMatchObject({ status: 401 });
});

test('a passkey is enough where the password would need a second factor', async () => {
  const person = await newPerson();
  const passkey = await addPasskey(person);
  const { secret } = (await person.call(factors.startTotp, {})).body;
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() });
  await person.call(factors.confirmFactor, { kind: 'totp', code });
  expect(await person.signIn()).toMatchObject({ body: { owes: ['totp', 'recoverycode'] } });
  const { stranger } = await signIn(passkey);
  expect(await stranger.call(passwords.listWraps)).toMatchObject({ status: 200 });
});

test('passkeys are named and removed; a removed one allows no sign-in, and its wrap is gone', async () => {
  const person = await newPerson();
  const passkey = await addPasskey(person, { unlocks: true });
  await person.call(passkeys.renamePasskey, { id: passkey.id, name: 'Апамның телефоны' });
  expect((await person.call(passkeys.listPasskeys)).body.passkeys[0].name).toBe('Апамның телефоны');
  expect(await person.call(passkeys.removePasskey, { id: passkey.id })).toMatchObject({ status: 200 });
  expect((await signIn(passkey)).reply).toMatchObject({ status: 401 });
  const { wraps } = (await person.call(passwords.listWraps)).body;
  expect(wraps.map(({ method }: { method: string }) => method)).toEqual(['password']);
});

test('the last key of an account cannot be removed', async () => {
  const person = await newPerson();
  const { account } = (await person.call(sessions.getSession)).body;
  const passkey = await addPasskey(person, { unlocks: true });
  await cluster.ctx.shards
    .of(account)
    .query((db) => db.deleteFrom('key_wrap').where('owner', '=', account).where('method', '=', 'password').execute());
  expect(await person.call(passkeys.removePasskey, { id: passkey.id })).toMatchObject({
    status: 409,
    body: { error: 'last_key' },
  });
  expect((await person.call(passkeys.listPasskeys)).body.passkeys).toHaveLength(1);
});

test('a wrap of another passkey or method is refused', async () => {
  const person = await newPerson();
  const { options, challenge } = (await person.call(passkeys.startPasskey, {})).body;
  const { response } = makePasskey(options);
  const wrap = { method: 'password', params: 'random', blob: 'BBBB' } as const;
  expect(await person.call(passkeys.finishPasskey, { challenge, response, name: 'x', wrap })).toMatchObject({
    status: 400,
  });
});

test('re-authentication by passkey, bound to the session that asked', async () => {
  const person = await newPerson();
  const passkey = await addPasskey(person);
  const { account } = (await person.call(sessions.getSession)).body;
  skippedMs += 11 * 60_000;
  expect((await person.call(reauthentication.listReauthenticationMethods)).body.methods).toEqual([
    'password',
    'passkey',
  ]);
  const { options, challenge } = (await person.call(reauthentication.startPasskeyReauthentication, {})).body;
  expect(options.allowCredentials).toMatchObject([{ id: passkey.id }]);
  const { stranger: other } = await signIn(passkey);
  const body = { challenge, response: answer(passkey, options) };
  expect(await other.call(reauthentication.finishPasskeyReauthentication, body)).toMatchObject({ status: 401 });
  expect(await person.call(accounts.deleteUser, { userId: account })).toMatchObject({ status: 403 });
  expect(await person.call(reauthentication.finishPasskeyReauthentication, body)).toMatchObject({ status: 200 });
  expect(await person.call(accounts.deleteUser, { userId: account })).toMatchObject({ status: 200 });
});
