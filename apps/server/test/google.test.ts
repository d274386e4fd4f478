/** Sign-in with Google, with a real OpenID provider at the other end. */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import * as google from '@dostar/protocol/contract/google';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as sessions from '@dostar/protocol/contract/sessions';
import { getStats } from '@dostar/protocol/contract/stats';
import { freePort, startOpenId } from '@dostar/tools/servers';
import type { OpenId } from '@dostar/tools/servers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { purgeIncompleteAccounts } from '../src/features/identity/use-cases/account-jobs.ts';
import { keyStretching } from './browser.ts';
import { GoogleBrowser, newEmail } from './google-browser.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let provider: OpenId;
let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  provider = await startOpenId({ dir: join(tmpdir(), `dostar-openid-${process.pid}`), port: await freePort() });
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
    env: { ...provider.env, SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

class Browser extends GoogleBrowser {
  constructor() {
    super(cluster.url);
  }
}

test('the first sign-in with Google asks for a password, the next one signs in by the provider’s subject', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  expect(await browser.google(email, { locale: 'kz' })).toBe('/kz/google-register-success');
  expect(await browser.call(google.getGoogleSignUp)).toMatchObject({ status: 200, body: { email, isTaken: false } });
  await browser.choosePassword('the ordinary one');
  const document = await browser.complete();
  expect(document).toMatchObject({ status: 200, body: { email, isVerified: true } });

  const laptop = new Browser();
  expect(await laptop.google(email, { locale: 'en', next: '/contacts' })).toBe(
    '/google-register-success?next=%2Fcontacts',
  );
  expect(await laptop.call(google.getGoogleSignUp)).toMatchObject({ status: 409 });
  expect(await laptop.call(sessions.getSession)).toMatchObject({ status: 200, body: { account: document.body.$id } });
  expect(await laptop.call(passwords.listWraps)).toMatchObject({ body: { wraps: [{ method: 'password' }] } });
});

test('a sign-up by Google counts as a verified user on the landing page', async () => {
  const read = async () => {
    skippedMs += 10_000;
    return (await new Browser().call(getStats)).body as { users: number; verified: number };
  };
  const before = await read();
  await new Browser().signUp(newEmail());
  const after = await read();
  expect([after.users - before.users, after.verified - before.verified]).toEqual([1, 1]);
});

test('the password of a Google account signs in by email too', async () => {
  const email = newEmail();
  await new Browser().signUp(email, 'the ordinary one');
  expect(await new Browser().signIn(email, 'the ordinary one')).toMatchObject({ status: 200 });
});

test('an account without a password and a passkey is never completed', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.google(email);
  expect(await browser.call(accounts.getSignUp)).toMatchObject({ body: { error: 'no_sign_up' } });
  expect(await browser.call(accounts.startFirstSession, {})).toMatchObject({ body: { error: 'not_verified' } });
  expect(await browser.call(sessions.getSession)).toMatchObject({ status: 401 });
  expect(await browser.complete()).toMatchObject({ status: 409, body: { error: 'not_verified' } });
  await browser.choosePassword();
  expect(await browser.complete()).toMatchObject({ status: 200, body: { email } });
});

test('an answer of the provider works once, and only in the browser that started', async () => {
  const [browser, thief, email] = [new Browser(), new Browser(), newEmail()];
  const returned = await browser.visitProvider(email, { locale: 'ru' });
  expect(await thief.comeBack(returned)).toBe('/login-failed');
  await thief.visitProvider(newEmail(), { locale: 'en' });
  expect(await thief.comeBack(returned)).toBe('/login-failed');
  expect(await browser.comeBack(returned)).toBe('/ru/google-register-success');
  expect(await browser.comeBack(returned)).toBe('/login-failed');
});

test('an answer with another state, or after a quarter of an hour, leads to the failure page', async () => {
  const browser = new Browser();
  const returned = new URL(await browser.visitProvider(newEmail(), { locale: 'en' }));
  returned.searchParams.set('state', 'somebody-elses');
  expect(await browser.comeBack(returned.href)).toBe('/login-failed');
  const late = await browser.visitProvider(newEmail(), { locale: 'en' });
  skippedMs += 16 * 60_000;
  expect(await browser.comeBack(late)).toBe('/login-failed');
});

test('Cancel at Google leads to the failure page; so does an address that Google has not verified', async () => {
  expect(await new Browser().google('cancel', { locale: 'kz' })).toBe('/kz/login-failed');
  expect(await new Browser().google(newEmail('unconfirmed'))).toBe('/login-failed?reason=unconfirmed');
});

test('a token that is not signed with a published key of the provider leads to the failure page', async () => {
  const browser = new Browser();
  expect(await browser.google(newEmail('forged'))).toBe('/login-failed');
  expect(await browser.call(google.getGoogleSignUp)).toMatchObject({ status: 409 });
});

test('an address with an account is linked only after re-authentication of that account', async () => {
  const email = newEmail();
  const owner = new Browser();
  const { $id: account } = (await owner.signUp(email, 'the owner knows')).body;
  // A new subject with the same address: another provider, or an address that was given to another person.
  await cluster.ctx.directory
    .updateTable('identity')
    .set({ subject: 'another' })
    .where('account', '=', account)
    .execute();

  const browser = new Browser();
  await browser.google(email);
  expect(await browser.call(google.getGoogleSignUp)).toMatchObject({ body: { email, isTaken: true } });
  await browser.choosePassword('a thief knows');
  expect(await browser.complete()).toMatchObject({ body: { error: 'email_taken' } });
  expect(await browser.call(google.linkGoogle, {})).toMatchObject({ status: 401 });

  const stranger = newEmail();
  await new Browser().signUp(stranger, 'my own');
  await browser.signIn(stranger, 'my own');
  expect(await browser.call(google.linkGoogle, {})).toMatchObject({ status: 403, body: { error: 'forbidden' } });

  await browser.signIn(email, 'the owner knows');
  expect(await browser.call(google.linkGoogle, {})).toMatchObject({ status: 200 });
  await expect
    .poll(() =>
      smtp.emails.filter(({ to }) => to.includes(email)).map(({ raw }) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1]),
    )
    .toContain('A Google account was linked');
  const later = new Browser();
  expect(await later.google(email)).toBe('/google-register-success');
  expect(await later.call(sessions.getSession)).toMatchObject({ body: { account } });
});

test('an incomplete Google account is deleted, and the next return starts over', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.google(email);
  await browser.choosePassword();
  await browser.call(accounts.createAccount, {});
  skippedMs += accounts.SIGN_UP_LIFETIME_MS + 1_000;
  expect(await purgeIncompleteAccounts(cluster.ctx)).toBeGreaterThan(0);
  expect(await new Browser().signUp(email)).toMatchObject({ status: 200, body: { email } });
});

test('a return while an interrupted sign-up still exists starts over', async () => {
  const [first, second, email] = [new Browser(), new Browser(), newEmail()];
  await first.google(email);
  await first.choosePassword();
  await first.call(accounts.createAccount, {});
  expect(await second.signUp(email)).toMatchObject({ status: 200, body: { email } });
});

test('deleting the account frees the Google account too', async () => {
  const [browser, email] = [new Browser(), newEmail()];
  const { $id: userId } = (await browser.signUp(email)).body;
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({ status: 200 });
  const again = new Browser();
  await again.google(email);
  expect(await again.call(google.getGoogleSignUp)).toMatchObject({ body: { email, isTaken: false } });
});

test('a browser that came by Google is unlocked by the password of the account', async () => {
  const email = newEmail();
  await new Browser().signUp(email, 'the ordinary one');
  const laptop = new Browser();
  await laptop.google(email);
  const password = 'the ordinary one';
  const { clientLoginState, startLoginRequest: request } = opaque.client.startLogin({ password });
  const { response: loginResponse, login } = (
    await laptop.call(reauthentication.startPasswordReauthentication, { request })
  ).body;
  const proof = opaque.client.finishLogin({ clientLoginState, loginResponse, password, keyStretching });
  expect(
    await laptop.call(reauthentication.finishPasswordReauthentication, { login, finish: proof!.finishLoginRequest }),
  ).toMatchObject({
    status: 200,
  });
});

test('an account with a second factor requires it after Google too, before any access', async () => {
  const email = newEmail();
  const { $id: owner } = (await new Browser().signUp(email)).body;
  const factor = { owner, kind: 'totp' as const, sealed: 'sealed', created_at: 1, confirmed_at: 1 };
  await cluster.ctx.shards.of(owner).query((db) => db.insertInto('factor').values(factor).execute());
  const laptop = new Browser();
  expect(await laptop.google(email, { locale: 'ru', next: '/contacts' })).toBe(
    `/ru/second-step?next=${encodeURIComponent('/google-register-success?next=%2Fcontacts')}`,
  );
  expect(await laptop.call(passwords.listWraps)).toMatchObject({ status: 403, body: { error: 'factor_required' } });
});

test('a server without a provider says so', async () => {
  await using plain = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  expect(await plain.call(google.getGoogle, undefined)).toMatchObject({ status: 200, body: { isOn: false } });
  expect(await plain.call(google.startGoogle, undefined, { locale: 'en' })).toMatchObject({ status: 404 });
  expect(await cluster.call(google.getGoogle, undefined)).toMatchObject({ body: { isOn: true } });
});
