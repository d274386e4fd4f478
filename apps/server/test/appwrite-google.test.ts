/** Sign-in with Google on `/v1`, with a real OpenID provider at the other end. */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { freePort, startOpenId } from '@dostar/tools/servers';
import type { OpenId } from '@dostar/tools/servers';
import type { AccountId } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claimIdentity, createAccount } from '../src/features/identity/accounts/service.ts';
import { beginTotp, confirmTotp } from '../src/features/identity/second-factors/service.ts';
import { disableAccount } from '../src/features/identity/sessions/disabling.ts';
import { createUserDocument } from '../src/features/people/users/service.ts';
import { AppwriteGoogleBrowser, FAILURE, START_TOKEN, SUCCESS, typeIn } from './appwrite-google-browser.ts';
import { addPerson, makeApp, AppwriteClient } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let provider: OpenId;
let cluster: TestCluster;

beforeAll(async () => {
  provider = await startOpenId({ dir: join(tmpdir(), `dostar-openid-v1-${process.pid}`), port: await freePort() });
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: provider.env });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

class Browser extends AppwriteGoogleBrowser {
  constructor() {
    super(cluster.url);
  }
}

let people = 0;
const newEmail = (): string => `g${(people += 1)}-${Math.random().toString(36).slice(2, 8)}@example.org`;

test('a new user gets an account with a verified address, and the same one the next time', async () => {
  const email = newEmail();
  const [first, second] = [new Browser(), new Browser()];
  expect(await first.google(email)).toBe(SUCCESS);
  const made = await first.client().call('GET', '/account');
  expect(made).toMatchObject({ status: 200, body: { email, emailVerification: true } });
  expect(await second.google(email)).toBe(SUCCESS);
  expect((await second.client().call('GET', '/account')).body.$id).toBe(made.body.$id);
  const { body } = await second.client().call('GET', '/account/sessions/current');
  expect(body).toMatchObject({ provider: 'google', factors: ['oauth2'], providerAccessToken: '' });
});

test('a return from Google in another browser signs in nothing', async () => {
  const [one, other] = [new Browser(), new Browser()];
  const returned = await one.visitProvider(newEmail());
  expect((await other.visit(returned)).status).toBe(400);
  expect(other.ours.size).toBe(0);
});

test('a page elsewhere gets a token and exchanges it once for a session', async () => {
  const email = newEmail();
  const browser = new Browser();
  const back = new URL(await browser.google(email, START_TOKEN));
  expect(back.searchParams.get('tab')).toBe('1');
  expect(browser.ours.has('a_session_dostar')).toBe(false);
  const brought = { userId: back.searchParams.get('userId'), secret: back.searchParams.get('secret') };
  const page = new AppwriteClient(cluster.url);
  const wrong = { ...brought, secret: 'made up' };
  const refused = { status: 401, body: { type: 'user_invalid_token' } };
  expect(await page.call('POST', '/account/sessions/token', wrong)).toMatchObject(refused);
  expect(await page.call('POST', '/account/sessions/token', { ...brought, userId: 'nobody' })).toMatchObject(refused);
  const given = await page.call('POST', '/account/sessions/token', brought);
  expect(given).toMatchObject({
    status: 201,
    body: { provider: 'google', factors: ['oauth2'], current: true, secret: '' },
  });
  expect(await page.call('POST', '/account/sessions/token', brought)).toMatchObject(refused);
});

test('a user who cancels is sent to the failure page', async () => {
  const said = await new Browser().google('cancel');
  expect(said.startsWith(FAILURE)).toBe(true);
  expect(typeIn(said)).toBe('user_oauth2_provider_error');
});

test('an address that the provider has not verified gets no account', async () => {
  expect(typeIn(await new Browser().google(`unconfirmed-${newEmail()}`))).toBe('user_oauth2_unauthorized');
});

test('an unverified address moves to the user that Google verified, without access to its account', async () => {
  const { email, id } = await addPerson(cluster.url);
  const browser = new Browser();
  expect(await browser.google(email)).toBe(SUCCESS);
  const { body } = await browser.client().call('GET', '/account');
  expect(body.email).toBe(email);
  expect(body.$id).not.toBe(id);
});

/** Creates a product user whose address the provider knows. */
async function addOfProduct(email: string): Promise<AccountId> {
  const probe = new Browser();
  await probe.google(email);
  const {
    issuer,
    subject,
    account: throwaway,
  } = await cluster.ctx.directory
    .selectFrom('service_identity')
    .selectAll()
    .orderBy('since', 'desc')
    .executeTakeFirstOrThrow();
  await cluster.ctx.directory.deleteFrom('service_identity').where('account', '=', throwaway).execute();
  const account = await createAccount(cluster.ctx);
  await createUserDocument(cluster.ctx, account, { email: `of-${email}`, verifiedAt: Date.now() });
  await cluster.ctx.directory
    .insertInto('email')
    .values({ address: `of-${email}`, account, state: 'whole', since: Date.now(), verified_at: Date.now() })
    .execute();
  await claimIdentity(cluster.ctx, { issuer, subject }, account);
  return account;
}

test('an account of the product is the same account here, and its second factor is still required', async () => {
  const email = newEmail();
  const account = await addOfProduct(email);
  const browser = new Browser();
  expect(await browser.google(email)).toBe(SUCCESS);
  expect(await browser.client().call('GET', '/account')).toMatchObject({ status: 200, body: { $id: account } });

  const { secret } = await beginTotp(cluster.ctx, account, 'x');
  const code = makeApp(secret, Date.now);
  await confirmTotp(cluster.ctx, account, code());
  const half = browser.client();
  expect(await half.call('GET', '/account')).toMatchObject({ body: { type: 'user_more_factors_required' } });
  // Email is no second factor unless its owner set it up: an attacker with the mailbox often has the Google account
  // too.
  expect(await half.call('GET', '/account/mfa/factors')).toMatchObject({ body: { totp: true, email: false } });
  expect(await half.call('POST', '/account/mfa/challenges', { factor: 'email' })).toMatchObject({ status: 400 });
  const { body } = await half.call('POST', '/account/mfa/challenges', { factor: 'totp' });
  const given = await half.call('PUT', '/account/mfa/challenges', { challengeId: body.$id, otp: code() });
  expect(given).toMatchObject({ status: 200, body: { factors: ['oauth2', 'totp'] } });
  expect(await half.call('GET', '/account')).toMatchObject({ status: 200 });
});

test('sensitive actions need a challenge if Google does not say when it authenticated the user', async () => {
  const answers: number[] = [];
  for (const name of ['', 'timeless']) {
    const browser = new Browser();
    await browser.google(name + newEmail());
    answers.push((await browser.client().call('POST', '/account/mfa/authenticators/totp', {})).status);
  }
  expect(answers).toEqual([200, 401]);
});

test('an account of `/v1` needs its second factor after Google too', async () => {
  const email = newEmail();
  const browser = new Browser();
  await browser.google(email);
  const client = browser.client();
  const { body: made } = await client.call('POST', '/account/mfa/authenticators/totp', {});
  const code = makeApp(made.secret, Date.now);
  expect(await client.call('PUT', '/account/mfa/authenticators/totp', { otp: code() })).toMatchObject({ status: 200 });
  expect(await client.call('PATCH', '/account/mfa', { mfa: true })).toMatchObject({ status: 200 });

  const thief = new Browser();
  expect(await thief.google(email)).toBe(SUCCESS);
  expect(await thief.client().call('GET', '/account')).toMatchObject({
    status: 401,
    body: { type: 'user_more_factors_required' },
  });
});

test('a disabled product account cannot sign in here', async () => {
  const email = newEmail();
  const account = await addOfProduct(email);
  const browser = new Browser();
  await browser.google(email);
  await disableAccount(cluster.ctx, account);
  expect(await browser.client().call('GET', '/account')).toMatchObject({ status: 403, body: { type: 'user_blocked' } });
  expect(typeIn(await new Browser().google(email))).toBe('user_blocked');
});
