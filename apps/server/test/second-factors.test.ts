/** Second factors and re-authentication over HTTP: two api processes, real shards, real SMTP, real OPAQUE. */
import { createSecretKey, randomBytes, scryptSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as accounts from '@dostar/protocol/contract/accounts';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as opaque from '@serenity-kit/opaque';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { resealFactors } from '../src/features/identity/second-factors/service.ts';
import { createSealer } from '../src/platform/security/sealed-values.ts';
import { listContract } from './list-contract.ts';
import { Person } from './person.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { callServer, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const MINUTE = 60_000;
let smtp: SmtpPeer;
let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

/** Text messages that the provider was asked to send. */
const texts: { to: string; text: string }[] = [];
const provider = createServer((request, answer) => {
  void request.toArray().then((parts: Buffer[]) => {
    texts.push(JSON.parse(Buffer.concat(parts).toString()) as { to: string; text: string });
    answer.end();
  });
});

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    overrides: { clock },
    env: { SMTP_URL: smtp.url, TEXT_MESSAGE_URL: `http://127.0.0.1:${port}/send?token=secret` },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  provider.close();
});

async function newPerson(): Promise<Person> {
  const person = new Person(cluster.url, smtp);
  await person.signUp();
  return person;
}

function codeOf(secret: string, stepsOff = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() + stepsOff * 30_000 });
}

/** Advances the clock by one time step, because each code works once. */
function nextStep(): void {
  skippedMs += 30_000;
}

async function withTotp(): Promise<{ person: Person; secret: string; recoveryCodes: string[] }> {
  const person = await newPerson();
  const { secret } = (await person.call(factors.startTotp, {})).body;
  const confirmed = await person.call(factors.confirmFactor, { kind: 'totp', code: codeOf(secret) });
  nextStep();
  return { person, secret, recoveryCodes: confirmed.body.recoveryCodes };
}

/** Calls that a session without its second factor may make. */
const OPEN_TO_PENDING = [
  factors.listFactors,
  factors.sendFactorCode,
  factors.verifyFactor,
  sessions.revokeCurrentSession,
];

test('H6: a session without its second factor is refused by every route except those for giving it', async () => {
  const { person } = await withTotp();
  expect(await person.signIn()).toMatchObject({ status: 200, body: { owes: ['totp', 'recoverycode'] } });
  const contract = await listContract();
  const guarded = contract.filter(({ auth }) => auth === 'session' || auth === 'self' || auth === 'pending');
  expect(
    guarded
      .filter(({ auth }) => auth === 'pending')
      .map(({ path, method }) => `${method} ${path}`)
      .toSorted(),
  ).toEqual(OPEN_TO_PENDING.map(({ path, method }) => `${method} ${path}`).toSorted());
  for (const endpoint of guarded.filter(({ auth }) => auth !== 'pending')) {
    const body = endpoint.method === 'GET' ? undefined : {};
    const answer = await callServer(cluster.url, endpoint, { token: person.token, account: '' as never }, body);
    // The caller is checked first, so `not_found` means that this server does not have the route.
    if (answer.body.error === 'not_found') continue;
    expect([endpoint.path, answer.status, answer.body.error]).toEqual([endpoint.path, 403, 'factor_required']);
  }
  await expect(cluster.connect({ token: person.token, account: '' as never })).rejects.toThrow('refused: 403');
});

describe('an authenticator app', () => {
  test('is active only once confirmed; then sign-in needs the password and a code', async () => {
    const person = await newPerson();
    const { secret, uri } = (await person.call(factors.startTotp, {})).body;
    expect(uri).toContain(`secret=${secret}`);
    expect(await person.signIn()).toMatchObject({ body: { owes: [] } });
    const confirmed = await person.call(factors.confirmFactor, { kind: 'totp', code: codeOf(secret) });
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    nextStep();

    const laptop = await person.signIn();
    expect(laptop).toMatchObject({ status: 200, body: { owes: ['totp', 'recoverycode'] } });
    expect(await person.call(passwords.listWraps)).toMatchObject({ status: 403, body: { error: 'factor_required' } });
    const waiting = person.token;
    expect(await person.call(factors.verifyFactor, { kind: 'totp', code: codeOf(secret) })).toMatchObject({
      status: 200,
    });
    expect(await person.call(passwords.listWraps)).toMatchObject({ status: 200 });
    expect(await callServer(cluster.url, sessions.getSession, { token: waiting, account: '' as never })).toMatchObject({
      status: 401,
    });
  });

  test('a code works once, also at another process, and within one time step either way', async () => {
    const { person, secret } = await withTotp();
    await person.signIn();
    const late = codeOf(secret, -1);
    expect(await person.call(factors.verifyFactor, { kind: 'totp', code: codeOf(secret, -3) })).toMatchObject({
      body: { error: 'wrong_code' },
    });
    const code = codeOf(secret, 1);
    expect(await person.call(factors.verifyFactor, { kind: 'totp', code })).toMatchObject({ status: 200 });
    await person.signIn();
    const other = cluster.servers[1]!.url;
    for (const used of [code, late]) {
      expect(await person.call(factors.verifyFactor, { kind: 'totp', code: used }, other)).toMatchObject({
        status: 400,
        body: { error: 'used_code' },
      });
    }
  });

  test('its secret is stored encrypted, and no table contains it in clear', async () => {
    const { person, secret } = await withTotp();
    expect((await person.call(factors.listFactors)).body.factors).toHaveLength(1);
    for (const shard of cluster.ctx.shards.all()) {
      const rows = await shard.query((db) => db.selectFrom('factor').selectAll().execute());
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  test('guesses are limited to ten in a quarter of an hour, across processes', async () => {
    const { person, secret } = await withTotp();
    await person.signIn();
    const [one, other] = cluster.servers.map(({ url }) => url);
    const answers = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const wrong = String(Number(codeOf(secret)) + tries + 1)
        .slice(-6)
        .padStart(6, '0');
      answers.push(await person.call(factors.verifyFactor, { kind: 'totp', code: wrong }, tries % 2 ? one : other));
    }
    expect(answers.slice(0, 10).every(({ body }) => body.error === 'wrong_code')).toBe(true);
    expect(answers.slice(10).every(({ body }) => body.error === 'rate_limited')).toBe(true);
  });
});

test('a recovery code works once, however it is typed; new ones replace the old', async () => {
  const { person, secret, recoveryCodes } = await withTotp();
  const [first, second] = recoveryCodes as [string, string];
  await person.signIn();
  const typed = first.toUpperCase().replace('-', ' ');
  expect(await person.call(factors.verifyFactor, { kind: 'recoverycode', code: typed })).toMatchObject({ status: 200 });
  expect((await person.call(factors.listFactors)).body.recoveryCodes).toBe(9);
  await person.signIn();
  expect(await person.call(factors.verifyFactor, { kind: 'recoverycode', code: first })).toMatchObject({
    body: { error: 'wrong_code' },
  });
  await person.call(factors.verifyFactor, { kind: 'totp', code: codeOf(secret) });
  const renewed = (await person.call(factors.renewRecoveryCodes, {})).body.recoveryCodes;
  expect(renewed).not.toContain(second);
  await person.signIn();
  expect(await person.call(factors.verifyFactor, { kind: 'recoverycode', code: second })).toMatchObject({
    body: { error: 'wrong_code' },
  });
  expect(await person.call(factors.verifyFactor, { kind: 'recoverycode', code: renewed[0] })).toMatchObject({
    status: 200,
  });
});

test('a recovery code that was stored as a scrypt hash still works once', async () => {
  const { person } = await withTotp();
  const { account } = (await person.call(sessions.getSession)).body;
  const hash = scryptSync('0ld0ld0ld0'.replaceAll('l', '1'), `recovery code ${account}`, 32);
  await cluster.ctx.shards
    .of(account)
    .query((db) =>
      db.insertInto('recovery_code').values({ owner: account, hash, sealed: null, created_at: 0 }).execute(),
    );
  const give = () => person.call(factors.verifyFactor, { kind: 'recoverycode', code: 'old0l-d0ldo' });
  await person.signIn();
  expect(await give()).toMatchObject({ status: 200 });
  await person.signIn();
  expect(await give()).toMatchObject({ body: { error: 'wrong_code' } });
});

test('a code by email: confirmed, then asked for at sign-in; five tries, ten minutes', async () => {
  const person = await newPerson();
  await person.call(factors.startCodeFactor, { kind: 'email', locale: 'en' });
  const confirmed = await person.call(factors.confirmFactor, { kind: 'email', code: await person.readCode(2) });
  expect(confirmed).toMatchObject({ status: 200 });
  expect(await person.signIn()).toMatchObject({ body: { owes: ['email', 'recoverycode'] } });
  expect((await person.call(factors.listFactors)).body.factors[0].hint).toMatch(/^p•••@example\.org$/);
  expect(await person.call(factors.sendFactorCode, { kind: 'email', locale: 'en' })).toMatchObject({ status: 200 });
  expect(await person.call(factors.sendFactorCode, { kind: 'email', locale: 'en' })).toMatchObject({
    body: { error: 'too_soon' },
  });
  const code = await person.readCode(3);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await person.call(factors.verifyFactor, { kind: 'email', code: wrong })).toMatchObject({
      body: { error: 'wrong_code' },
    });
  }
  expect(await person.call(factors.verifyFactor, { kind: 'email', code })).toMatchObject({ status: 200 });
  await person.signIn();
  expect(await person.call(factors.verifyFactor, { kind: 'email', code })).toMatchObject({
    body: { error: 'expired_code' },
  });
});

test('a code by text message goes to the number that was confirmed', async () => {
  const person = await newPerson();
  const started = await person.call(factors.startCodeFactor, {
    kind: 'phone',
    locale: 'en',
    number: '+7 (701) 123-45-67',
  });
  expect(started).toMatchObject({ status: 200 });
  const code = /\d{6}/.exec(texts.at(-1)!.text)![0];
  expect(texts.at(-1)!.to).toBe('+77011234567');
  expect(await person.call(factors.confirmFactor, { kind: 'phone', code })).toMatchObject({ status: 200 });
  expect(await person.signIn()).toMatchObject({ body: { owes: ['phone', 'recoverycode'] } });
  expect((await person.call(factors.listFactors)).body.factors[0].hint).toBe('•• 67');
  await person.call(factors.sendFactorCode, { kind: 'phone', locale: 'kz' });
  const second = /\d{6}/.exec(texts.at(-1)!.text)![0];
  expect(await person.call(factors.verifyFactor, { kind: 'phone', code: second })).toMatchObject({ status: 200 });
});

test('removing the last factor deletes the recovery codes, and the password is enough again', async () => {
  const { person } = await withTotp();
  expect(await person.call(factors.removeFactor, { kind: 'totp' })).toMatchObject({ status: 200 });
  expect((await person.call(factors.listFactors)).body).toMatchObject({ factors: [], recoveryCodes: null });
  expect(await person.signIn()).toMatchObject({ body: { owes: [] } });
});

test('a session without its factor ends after a quarter of an hour, and never has a device', async () => {
  const { person, secret } = await withTotp();
  const { account } = (await person.call(sessions.getSession)).body;
  await person.signIn();
  const devices = await cluster.ctx.shards
    .of(account)
    .query((db) => db.selectFrom('device').select('id').where('owner', '=', account).execute());
  // The sign-in ended the previous session of this browser.
  expect(devices).toEqual([]);
  skippedMs += factors.SECOND_FACTOR_TIMEOUT_MS + 1000;
  expect(await person.call(factors.verifyFactor, { kind: 'totp', code: codeOf(secret) })).toMatchObject({
    status: 401,
  });
  await person.signIn();
  await person.call(factors.verifyFactor, { kind: 'totp', code: codeOf(secret) });
  const { body } = await person.call(sessions.listSessions);
  expect(body.sessions).toHaveLength(1);
});

test('after a change of the key the secrets are encrypted again, and the old key is no longer needed', async () => {
  const { person, secret } = await withTotp();
  const [oldKey] = cluster.secrets.keys;
  const newKey = createSecretKey(randomBytes(32));
  const both = { ...cluster.ctx, sealer: createSealer([newKey, oldKey!]) };
  expect(await resealFactors(both)).toBeGreaterThan(0);
  const { account } = (await person.call(sessions.getSession)).body;
  const { sealed } = await cluster.ctx.shards
    .of(account)
    .query((db) => db.selectFrom('factor').select('sealed').where('owner', '=', account).executeTakeFirstOrThrow());
  expect(createSealer([newKey]).open(`factor totp ${account}`, sealed!)).toBe(secret);
  // The following tests use the old key.
  await resealFactors({ ...cluster.ctx, sealer: createSealer([oldKey!, newKey]) });
});

describe('re-authentication', () => {
  test('by password allows sensitive actions again, at every process at once', async () => {
    const person = await newPerson();
    const other = cluster.servers[1]!.url;
    skippedMs += 11 * MINUTE;
    // Both processes have cached the session.
    for (const url of [cluster.url, other]) await person.call(sessions.getSession, undefined, url);
    expect(await person.call(factors.startTotp, {}, other)).toMatchObject({ body: { error: 'reauthenticate' } });
    expect((await person.call(reauthentication.listReauthenticationMethods)).body.methods).toEqual(['password']);
    expect(await person.prove('a guess')).toMatchObject({ status: 0 });
    expect(await person.call(factors.startTotp, {}, other)).toMatchObject({ body: { error: 'reauthenticate' } });
    expect(await person.prove()).toMatchObject({ status: 200 });
    expect(await person.call(factors.startTotp, {}, other)).toMatchObject({ status: 200 });
    skippedMs += 11 * MINUTE;
    expect(await person.call(factors.startTotp, {}, other)).toMatchObject({ body: { error: 'reauthenticate' } });
  });

  test('by password is not blocked by other users’ guesses in a known browser', async () => {
    const person = await newPerson();
    expect(await person.signIn()).toMatchObject({ status: 200 });
    for (let tries = 0; tries < 10; tries += 1) {
      const { startLoginRequest: request } = opaque.client.startLogin({ password: `guess ${tries}` });
      await callServer(cluster.url, passwords.startLogin, undefined, { email: person.email, request });
    }
    expect(await person.prove()).toMatchObject({ status: 200 });
    // Its own tries are limited too.
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) statuses.push((await person.prove(`guess ${tries}`)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    person.cookies.delete(passwords.KNOWN_BROWSER_COOKIE);
    expect(await person.prove()).toMatchObject({ status: 429 });
  });

  test('does not count in another session, and a sign-in does not count as one', async () => {
    const [alice, bob] = [await newPerson(), await newPerson()];
    skippedMs += 11 * MINUTE;
    const { startLoginRequest: request } = opaque.client.startLogin({ password: 'x' });
    const { login } = (await alice.call(reauthentication.startPasswordReauthentication, { request })).body;
    const finish = Buffer.alloc(64).toString('base64url');
    expect(await bob.call(reauthentication.finishPasswordReauthentication, { login, finish })).toMatchObject({
      body: { error: 'sign_in_failed' },
    });
    expect(await bob.call(passwords.finishLogin, { login, finish })).toMatchObject({
      body: { error: 'sign_in_failed' },
    });
  });

  test('by email is for accounts without a password', async () => {
    const person = await newPerson();
    expect(await person.call(reauthentication.sendReauthenticationCode, { locale: 'en' })).toMatchObject({
      status: 403,
    });
    const account = (await person.call(sessions.getSession)).body.account;
    await cluster.ctx.shards
      .of(account)
      .query((db) => db.deleteFrom('opaque_record').where('owner', '=', account).execute());
    expect((await person.call(reauthentication.listReauthenticationMethods)).body.methods).toEqual(['email']);
    skippedMs += 11 * MINUTE;
    expect(await person.call(reauthentication.sendReauthenticationCode, { locale: 'en' })).toMatchObject({
      status: 200,
    });
    const code = await person.readCode(2);
    expect(await person.call(accounts.deleteUser, { userId: account })).toMatchObject({ status: 403 });
    expect(await person.call(reauthentication.verifyReauthenticationCode, { code })).toMatchObject({ status: 200 });
    expect(await person.call(accounts.deleteUser, { userId: account })).toMatchObject({ status: 200 });
  });
});
