/** The life of an account over HTTP, with real shards, real bus, real SMTP, and real OPAQUE at both ends. */
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as users from '@dostar/protocol/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { purgeIncompleteAccounts } from '../src/features/identity/use-cases/account-jobs.ts';
import { listAppwriteSessions, startAppwriteSession } from '../src/appwrite/accounts/service.ts';
import { createUserDocument } from '../src/features/people/users/service.ts';
import { keyStretching, newEmail, readCode, TestBrowser } from './browser.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
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
    overrides: { clock },
    env: { SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

/** The newest code emailed to an address. */
const codeFor = (email: string): Promise<string> => readCode(smtp, email);

class Browser extends TestBrowser {
  constructor() {
    super(cluster.url, smtp);
  }
}

test('sign-up by email and code ends with a document, a session and a generated name', async () => {
  const browser = new Browser();
  const email = newEmail();
  const document = await browser.signUp(email);
  expect(document).toMatchObject({ status: 200, body: { email, isVerified: true, publicKey: null, FCMToken: [] } });
  expect(document.body.username).toMatch(/^[a-z]+[1-9]\d{3}$/);
  expect(await browser.call(sessions.getSession)).toMatchObject({ status: 200, body: { account: document.body.$id } });
  expect(await browser.call(passwords.listWraps)).toMatchObject({
    body: { wraps: [{ method: 'password', blob: 'AAAA' }] },
  });
});

test('the password signs in from another browser, a wrong one does not', async () => {
  const email = newEmail();
  await new Browser().signUp(email, 'a good password');
  const laptop = new Browser();
  expect(await laptop.signIn(email, 'another password')).toMatchObject({ status: 0 });
  expect(await laptop.signIn(email, 'a good password')).toMatchObject({ status: 200 });
  const { body } = await laptop.call(sessions.listSessions);
  expect(body.sessions).toHaveLength(2);
  expect(body.sessions.filter((session: { isThis: boolean }) => session.isThis)).toHaveLength(1);
});

test('an unknown address is reported as such; a forged proof is refused', async () => {
  const browser = new Browser();
  expect(await browser.signIn(newEmail())).toMatchObject({ status: 404, body: { error: 'email_not_found' } });
  const email = newEmail();
  await new Browser().signUp(email);
  const { startLoginRequest: request } = opaque.client.startLogin({ password: 'guess' });
  const { login } = (await browser.call(passwords.startLogin, { email, request })).body;
  const finish = Buffer.alloc(64).toString('base64url');
  expect(await browser.call(passwords.finishLogin, { login, finish })).toMatchObject({
    status: 401,
    body: { error: 'wrong_password' },
  });
});

test('an address that has an account is taken', async () => {
  const email = newEmail();
  await new Browser().signUp(email);
  expect(await new Browser().beginSignUp(email.toUpperCase())).toMatchObject({
    status: 409,
    body: { error: 'email_taken' },
  });
});

describe('the code', () => {
  test('allows five wrong tries, and is refused afterwards', async () => {
    const [browser, email] = [new Browser(), newEmail()];
    await browser.beginSignUp(email);
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1)
      answers.push(await browser.call(accounts.verifyCode, { email, code: wrong }));
    expect(answers.map((answer) => answer.body.error)).toEqual([
      ...Array<string>(4).fill('wrong_code'),
      'too_many_tries',
    ]);
    expect(await browser.call(accounts.verifyCode, { email, code })).toMatchObject({
      body: { error: 'too_many_tries' },
    });
  });

  test('is valid for ten minutes', async () => {
    const [browser, email] = [new Browser(), newEmail()];
    await browser.beginSignUp(email);
    const code = await codeFor(email);
    skippedMs += accounts.CODE_LIFETIME_MS + 1_000;
    expect(await browser.call(accounts.verifyCode, { email, code })).toMatchObject({ body: { error: 'expired_code' } });
  });

  test('is refused in another browser', async () => {
    const [browser, thief, email] = [new Browser(), new Browser(), newEmail()];
    await browser.beginSignUp(email);
    const code = await codeFor(email);
    expect(await thief.call(accounts.verifyCode, { email, code })).toMatchObject({
      status: 409,
      body: { error: 'no_sign_up' },
    });
    await thief.beginSignUp(newEmail());
    expect(await thief.call(accounts.verifyCode, { email, code })).toMatchObject({
      status: 409,
      body: { error: 'no_sign_up' },
    });
  });

  test('is sent again after a minute, not before, and then only the new one is valid', async () => {
    const [browser, email] = [new Browser(), newEmail()];
    await browser.beginSignUp(email);
    const first = await codeFor(email);
    expect(await browser.call(accounts.sendCode, { email })).toMatchObject({
      status: 429,
      body: { error: 'too_soon' },
    });
    skippedMs += accounts.RESEND_AFTER_MS;
    expect(await browser.call(accounts.sendCode, { email })).toMatchObject({ status: 200 });
    await expect.poll(() => smtp.emails.filter((message) => message.to.includes(email)).length).toBe(2);
    const second = await codeFor(email);
    if (first !== second)
      expect(await browser.call(accounts.verifyCode, { email, code: first })).toMatchObject({ status: 400 });
    expect(await browser.call(accounts.verifyCode, { email, code: second })).toMatchObject({ status: 200 });
  });

  test('a sign-up survives a discarded tab: its cookie is enough to continue', async () => {
    const [browser, email] = [new Browser(), newEmail()];
    await browser.beginSignUp(email);
    expect(await browser.call(accounts.getSignUp)).toMatchObject({ body: { email, isVerified: false } });
    await browser.call(accounts.verifyCode, { email, code: await codeFor(email) });
    expect(await browser.call(accounts.getSignUp)).toMatchObject({ body: { email, isVerified: true } });
    expect(await browser.complete()).toMatchObject({ status: 200 });
    expect(await browser.call(accounts.getSignUp)).toMatchObject({ status: 409 });
  });
});

test('no step of completion works without a verified address', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.beginSignUp(email);
  const userId = (await browser.call(accounts.getSignUp)).body.account;
  expect(await browser.call(accounts.createAccount, {})).toMatchObject({
    status: 409,
    body: { error: 'not_verified' },
  });
  expect(await browser.call(accounts.startFirstSession, {})).toMatchObject({ status: 409 });
  for (const endpoint of [accounts.verifyUser, accounts.deleteUser, users.storeUser]) {
    expect(await browser.call(endpoint, { userId })).toMatchObject({ status: 403 });
  }
});

test('no account verifies, changes or deletes another one', async () => {
  const [alice, bob] = [new Browser(), new Browser()];
  await alice.signUp(newEmail());
  const victim = (await bob.signUp(newEmail())).body.$id;
  expect(await alice.call(accounts.verifyUser, { userId: victim })).toMatchObject({ status: 403 });
  expect(await alice.call(accounts.deleteUser, { userId: victim })).toMatchObject({ status: 403 });
  expect(await alice.call(users.storeUser, { userId: victim })).toMatchObject({ status: 403 });
  expect(await alice.call(users.updateUser, { documentId: victim, data: { FCMToken: ['mine'] } })).toMatchObject({
    status: 403,
  });
  expect(await bob.call(users.getUser)).toMatchObject({ status: 200, body: { FCMToken: [] } });
});

test('an incomplete account is deleted after a quarter of an hour, and its address is free', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.beginSignUp(email);
  await browser.call(accounts.verifyCode, { email, code: await codeFor(email) });
  const { userId } = (await browser.call(accounts.createAccount, {})).body;
  skippedMs += accounts.SIGN_UP_LIFETIME_MS + 1_000;
  expect(await purgeIncompleteAccounts(cluster.ctx)).toBeGreaterThan(0);
  const shard = cluster.ctx.shards.of(userId);
  const left = await shard.query((db) =>
    db.selectFrom('mailbox').select('owner').where('owner', '=', userId).execute(),
  );
  expect(left).toEqual([]);
  smtp.emails.length = 0;
  expect(await new Browser().signUp(email)).toMatchObject({ status: 200, body: { email } });
});

test('the latest verification of an address wins, whatever an interrupted sign-up left', async () => {
  const [first, second, email] = [new Browser(), new Browser(), newEmail()];
  await first.beginSignUp(email);
  await first.call(accounts.verifyCode, { email, code: await codeFor(email) });
  await first.call(accounts.createAccount, {});
  smtp.emails.length = 0;
  expect(await second.signUp(email)).toMatchObject({ status: 200, body: { email } });
  expect(await first.call(accounts.createAccount, {})).toMatchObject({ status: 409 });
});

test('an account is deleted completely after its owner has re-authenticated', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  const { $id: userId } = (await browser.signUp(email)).body;
  skippedMs += 11 * 60_000;
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({
    status: 403,
    body: { error: 'reauthenticate' },
  });
  await browser.signIn(email);
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({ status: 200 });
  expect(await browser.signIn(email)).toMatchObject({ status: 404 });
  expect(await browser.call(sessions.getSession)).toMatchObject({ status: 401 });
});

test('ending the other sessions leaves this one, and needs re-authentication', async () => {
  const [phone, laptop, email] = [new Browser(), new Browser(), newEmail()];
  await phone.signUp(email);
  await laptop.signIn(email);
  skippedMs += 11 * 60_000;
  const { sessions: all } = (await laptop.call(sessions.listSessions)).body;
  const session = all.find(({ isThis }: { isThis: boolean }) => !isThis).id;
  for (const body of [{}, { session }])
    expect(await laptop.call(sessions.revokeSessions, body)).toMatchObject({ body: { error: 'reauthenticate' } });
  expect(await phone.call(sessions.getSession)).toMatchObject({ status: 200 });
  await laptop.signIn(email);
  const { account } = (await laptop.call(sessions.getSession)).body;
  await startAppwriteSession(cluster.ctx, account, { provider: 'google', factors: ['oauth2'], client: '' });
  expect(await laptop.call(sessions.revokeSessions, {})).toMatchObject({ status: 200 });
  expect(await listAppwriteSessions(cluster.ctx, account)).toEqual([]);
  await expect.poll(async () => (await phone.call(sessions.getSession)).status).toBe(401);
  expect(await laptop.call(sessions.getSession)).toMatchObject({ status: 200 });
});

test('guesses of a password are limited to ten in a quarter of an hour', async () => {
  const email = newEmail();
  await new Browser().signUp(email);
  const thief = new Browser();
  const statuses = [];
  for (let tries = 0; tries < 12; tries += 1) statuses.push((await thief.signIn(email, `guess ${tries}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test("an attacker's guesses do not lock the owner out of a known browser", async () => {
  const [owner, email] = [new Browser(), newEmail()];
  await owner.signUp(email);
  await owner.signIn(email);
  const thief = new Browser();
  for (let tries = 0; tries < 12; tries += 1) await thief.signIn(email, `guess ${tries}`);
  expect(await thief.signIn(email)).toMatchObject({ status: 429 });
  expect(await owner.signIn(email)).toMatchObject({ status: 200 });
  // The browser has limited tries too, which an attacker cannot use for another account.
  const statuses = [];
  for (let tries = 0; tries < 12; tries += 1) statuses.push((await owner.signIn(email, `guess ${tries}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  thief.cookies.set(passwords.KNOWN_BROWSER_COOKIE, owner.cookies.get(passwords.KNOWN_BROWSER_COOKIE)!.slice(1));
  expect(await thief.signIn(email)).toMatchObject({ status: 429 });
});

test("a user document without an account fails with 'There is no user'", async () => {
  await expect(createUserDocument(cluster.ctx, undefined, { email: null, verifiedAt: null })).rejects.toThrow(
    'There is no user',
  );
});

test('an incomplete account allows no sign-in: it could be swept away during the session', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.beginSignUp(email);
  await browser.call(accounts.verifyCode, { email, code: await codeFor(email) });
  expect(await browser.call(accounts.createAccount, {})).toMatchObject({ status: 200 });
  expect(await new Browser().signIn(email)).toMatchObject({ status: 404, body: { error: 'email_not_found' } });
});

test('an invented OPAQUE message is a bad request, not a server error', async () => {
  const [browser, email, request] = [new Browser(), newEmail(), 'bm9uc2Vuc2U'];
  await new Browser().signUp(email);
  expect(await browser.call(accounts.startSignUp, { email: newEmail(), locale: 'en', request })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
  expect(await browser.call(passwords.startLogin, { email, request })).toMatchObject({ status: 400 });
});

test('H8: a login can be finished once, and refunds its try once', async () => {
  const [email, password] = [newEmail(), 'a good password'];
  const userId = (await new Browser().signUp(email, password)).body.$id as string;
  const { clientLoginState, startLoginRequest: request } = opaque.client.startLogin({ password });
  const { body } = await new Browser().call(passwords.startLogin, { email, request });
  const options = { clientLoginState, loginResponse: body.response, password, keyStretching };
  const finish = opaque.client.finishLogin(options)!.finishLoginRequest;
  const finished = () => new Browser().call(passwords.finishLogin, { login: body.login, finish });
  const both = await Promise.all([finished(), finished()]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  expect(await finished()).toMatchObject({ status: 401, body: { error: 'sign_in_failed' } });
  const { rows } = await sql<{ points: number }>`
    select points from limits where key = ${`login-account:${userId}`}`.execute(cluster.ctx.directory);
  expect(rows).toEqual([{ points: 0 }]);
});

test('the limiter refunds a successful try', async () => {
  const email = newEmail();
  await new Browser().signUp(email);
  for (let tries = 0; tries < 15; tries += 1) {
    expect(await new Browser().signIn(email)).toMatchObject({ status: 200 });
  }
});
