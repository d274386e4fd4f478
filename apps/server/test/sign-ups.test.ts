/** Who may make an account: the same on the email, Google and `/v1` ways. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import { createInvite, INVITE_USES, listInvites, redeemInvite } from '@dostar/protocol/contract/invites';
import { getSession } from '@dostar/protocol/contract/sessions';
import { updateUser } from '@dostar/protocol/contract/users';
import type { AccountId } from '@dostar/protocol/ids';
import { freePort, startOpenId } from '@dostar/tools/servers';
import type { OpenId } from '@dostar/tools/servers';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { purgeIncompleteAccounts } from '../src/features/identity/use-cases/account-jobs.ts';
import { removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { disableAccount } from '../src/features/identity/sessions/disabling.ts';
import { AppwriteClient, operatorOf, PASSWORD, writeAppwriteFile } from './appwrite-people.ts';
import { AppwriteGoogleBrowser, SUCCESS, typeIn } from './appwrite-google-browser.ts';
import { newEmail, readCode, TestBrowser } from './browser.ts';
import { GoogleBrowser } from './google-browser.ts';
import { runAdminCommand } from './run-admin-command.ts';
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
  provider = await startOpenId({ dir: join(tmpdir(), `dostar-openid-signups-${process.pid}`), port: await freePort() });
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
    env: { ...provider.env, SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: await writeAppwriteFile({}) },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

type Policy = Partial<Pick<TestCluster['ctx']['policy'], 'signUps' | 'signUpDomains'>>;

/** What the operator decides in the environment. */
function decide({ signUps = 'open', signUpDomains = [] }: Policy): void {
  Object.assign(cluster.ctx.policy, { signUps, signUpDomains });
}
beforeEach(() => decide({}));

const byEmail = (): TestBrowser => new TestBrowser(cluster.url, smtp);
const byGoogle = (): GoogleBrowser => new GoogleBrowser(cluster.url);
const newSchoolEmail = (): string => newEmail().replace('example.org', 'school.example');
const refusal = (error: string) => ({ status: 403, body: { error } });

/** A sign-up by a stranger on `/v1`, by password and by Google: the types of the answers. */
async function tryAppwrite(email: string): Promise<{ password: string; google: string }> {
  const asked = { userId: 'unique()', email, password: PASSWORD };
  const { body } = await new AppwriteClient(cluster.url).call('POST', '/account', asked);
  const back = await new AppwriteGoogleBrowser(cluster.url).google(email);
  return { password: body.type, google: back === SUCCESS ? 'signed in' : typeIn(back) };
}

async function invite(...words: string[]): Promise<string> {
  const { code, out } = await runAdminCommand(cluster.ctx, ['invite', ...words]);
  expect(code).toBe(0);
  return /\/invite#([\w-]{22})$/.exec(out!)![1]!;
}

async function addInviter() {
  const browser = byEmail();
  const { body } = await browser.signUp(newEmail());
  const { token } = (await browser.call(createInvite, {})).body;
  return { browser, account: body.$id as AccountId, username: body.username as string, token: token as string };
}

/** Everything but the last step, which uses the invite. Returns that step. */
async function signUpToTheEnd(token: string) {
  const [browser, email] = [byEmail(), newEmail()];
  expect(await browser.beginSignUp(email, undefined, token)).toMatchObject({ status: 200 });
  await browser.call(accounts.verifyCode, { email, code: await readCode(smtp, email) });
  return { browser, complete: () => browser.complete() };
}

test('a closed server refuses new accounts on every way, and people who have one still sign in', async () => {
  const [email, googleEmail] = [newEmail(), newEmail()];
  const account = (await byEmail().signUp(email)).body.$id as AccountId;
  await byGoogle().signUp(googleEmail);
  decide({ signUps: 'closed' });
  expect(await byEmail().beginSignUp(newEmail())).toMatchObject(refusal('sign_ups_closed'));
  // An address that has an account gets the same answer.
  expect(await byEmail().beginSignUp(email)).toMatchObject(refusal('sign_ups_closed'));
  expect(await byGoogle().google(newEmail())).toBe('/login-failed?reason=sign_ups_closed');
  expect(await tryAppwrite(newEmail())).toEqual({
    password: 'user_auth_method_unsupported',
    google: 'user_auth_method_unsupported',
  });

  expect(await byEmail().signIn(email)).toMatchObject({ status: 200 });
  expect(await byGoogle().google(googleEmail)).toBe('/google-register-success');
  // The owner of an account that has not used Google yet links it.
  const linking = byGoogle();
  expect(await linking.google(email)).toBe('/google-register-success');
  await removeAccount(cluster.ctx, account);
  await linking.choosePassword();
  expect(await linking.complete()).toMatchObject({ body: { error: 'email_taken' } });
});

test('a server that asks for invites refuses people without one on every way', async () => {
  decide({ signUps: 'invite' });
  expect(await byEmail().beginSignUp(newEmail())).toMatchObject(refusal('invite_required'));
  expect(await byGoogle().google(newEmail())).toBe('/login-failed?reason=invite_required');
  expect(await tryAppwrite(newEmail())).toEqual({
    password: 'user_auth_method_unsupported',
    google: 'user_auth_method_unsupported',
  });
  const asked = { userId: 'unique()', email: newEmail(), password: PASSWORD };
  expect(await operatorOf(cluster).call('POST', '/account', asked)).toMatchObject({ status: 201 });
});

test('an address outside the domains is refused on every way', async () => {
  decide({ signUpDomains: ['school.example'] });
  for (const email of [newEmail(), newSchoolEmail().replace('@', '@mail.')]) {
    expect(await byEmail().beginSignUp(email)).toMatchObject(refusal('email_not_allowed'));
    expect(await byGoogle().google(email)).toBe('/login-failed?reason=email_not_allowed');
    expect(await tryAppwrite(email)).toEqual({
      password: 'user_email_not_whitelisted',
      google: 'user_email_not_whitelisted',
    });
  }
  expect(await byEmail().signUp(newSchoolEmail())).toMatchObject({ status: 200 });
  expect(await byGoogle().signUp(newSchoolEmail())).toMatchObject({ status: 200 });
  // A password of `/v1` proves no address: anyone could claim one of the domain.
  expect(await tryAppwrite(newSchoolEmail())).toEqual({
    password: 'user_auth_method_unsupported',
    google: 'signed in',
  });
});

test.each(['invite', 'closed'] as const)(
  'with SIGN_UPS=%s an invite of the operator lets one person in by email or Google',
  async (signUps) => {
    decide({ signUps });
    const [first, second] = [await invite(), await invite('--uses', '1', '--note', 'for the family')];
    expect(await byEmail().signUp(newEmail(), undefined, first)).toMatchObject({ status: 200 });
    expect(await byEmail().beginSignUp(newEmail(), undefined, first)).toMatchObject({ body: { error: 'invite_gone' } });
    const browser = byGoogle();
    expect(await browser.google(newEmail(), { locale: 'en', invite: second })).toBe('/google-register-success');
    await browser.choosePassword();
    expect(await browser.complete()).toMatchObject({ status: 200 });
    expect(await byGoogle().google(newEmail(), { locale: 'en', invite: second })).toBe(
      '/login-failed?reason=invite_gone',
    );
  },
);

test('I6: an invite link of a user lets people in where invites are asked for, not on a closed server', async () => {
  const { browser: inviter, account, username, token } = await addInviter();
  decide({ signUps: 'closed' });
  expect(await byEmail().beginSignUp(newEmail(), undefined, token)).toMatchObject({ body: { error: 'invite_gone' } });
  expect(await cluster.call(accounts.getSignUpPolicy, undefined, { invite: token })).toMatchObject({
    body: { mode: 'closed', invite: null },
  });

  decide({ signUps: 'invite' });
  expect(await cluster.call(accounts.getSignUpPolicy, undefined, { invite: token })).toMatchObject({
    body: { mode: 'invite', invite: { inviter: username } },
  });
  const guest = byEmail();
  expect(await guest.signUp(newEmail(), undefined, token)).toMatchObject({ status: 200 });
  const listLeft = async () => (await inviter.call(listInvites)).body.invites[0].usesLeft;
  expect(await listLeft()).toBe(INVITE_USES - 1);
  // The guest becomes a contact by the use that the sign-up has taken.
  const redeemed = await guest.call(redeemInvite, { act: randomUUID(), token });
  expect(redeemed).toMatchObject({ status: 200, body: { state: 'accepted', user: { id: account } } });
  expect(await listLeft()).toBe(INVITE_USES - 1);

  await disableAccount(cluster.ctx, account);
  expect(await byEmail().beginSignUp(newEmail(), undefined, token)).toMatchObject({ body: { error: 'invite_gone' } });
});

test('of two people who use the last use of an invite at once, one gets an account', async () => {
  const { browser: inviter, account, token } = await addInviter();
  await cluster.ctx.shards
    .of(account)
    .query((db) => db.updateTable('invite').set({ uses_left: 1 }).where('owner', '=', account).execute());
  decide({ signUps: 'invite' });
  for (const last of [await invite(), token]) {
    const pair = await Promise.all([signUpToTheEnd(last), signUpToTheEnd(last)]);
    const answers = await Promise.all(pair.map(({ complete }) => complete()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 404)).toMatchObject({ body: { error: 'invite_gone' } });
  }
  expect((await inviter.call(listInvites)).body.invites).toEqual([]);
});

test('a sign-up that is not completed uses no invite', async () => {
  decide({ signUps: 'invite' });
  const token = await invite();
  const { browser } = await signUpToTheEnd(token);
  const { userId } = (await browser.call(accounts.createAccount, {})).body;
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({ status: 200 });
  expect(await byEmail().signUp(newEmail(), undefined, token)).toMatchObject({ status: 200 });
});

test('an account whose sign-up has expired is not completed, so an invite can’t be left out', async () => {
  decide({ signUps: 'invite' });
  const { browser } = await signUpToTheEnd(await invite());
  const { userId } = (await browser.call(accounts.createAccount, {})).body;
  await browser.call(accounts.startFirstSession, {});
  await cluster.ctx.directory.deleteFrom('sign_up').where('account', '=', userId).execute();
  expect(await browser.call(updateUser, { documentId: userId, data: {} })).toMatchObject({
    body: { error: 'no_sign_up' },
  });
});

test('an invite for an address lets in no other one, and one that was revoked or has expired lets in no one', async () => {
  decide({ signUps: 'invite', signUpDomains: ['example.org'] });
  const email = newEmail();
  const token = await invite('--email', email.toUpperCase(), '--days', '2');
  expect(await byEmail().beginSignUp(newEmail(), undefined, token)).toMatchObject(refusal('email_not_allowed'));
  expect(await runAdminCommand(cluster.ctx, ['invite', '--email', 'a@example.net'])).toMatchObject({
    code: 1,
    err: 'SIGN_UP_DOMAINS refuses that address',
  });

  const listed = (await runAdminCommand(cluster.ctx, ['invites'])).out!;
  const line = listed.split('\n').find((text) => text.includes(email))!;
  expect(line).toMatch(/^[\da-f-]{36} {2}until \S+ {2}1 of 1 left {2}person\S+$/);
  const id = line.slice(0, 36);
  const begun = byEmail();
  expect(await begun.beginSignUp(email, undefined, token)).toMatchObject({ status: 200 });
  expect(await runAdminCommand(cluster.ctx, ['invites', 'revoke', id])).toMatchObject({ code: 0, out: 'revoked' });
  expect(await runAdminCommand(cluster.ctx, ['invites', 'revoke', id])).toMatchObject({ code: 1 });
  await begun.call(accounts.verifyCode, { email, code: await readCode(smtp, email) });
  expect(await begun.complete()).toMatchObject({ body: { error: 'invite_gone' } });

  const old = await invite('--days', '1');
  skippedMs += 25 * 3_600_000;
  expect(await byEmail().beginSignUp(newEmail(), undefined, old)).toMatchObject({ body: { error: 'invite_gone' } });
  await purgeIncompleteAccounts(cluster.ctx);
  expect((await runAdminCommand(cluster.ctx, ['invites'])).out).not.toContain('person');
});

test('the audit log has every act on invites, and names no one', async () => {
  await invite('--email', newEmail(), '--uses', '3', '--note', 'for Aigerim');
  await runAdminCommand(cluster.ctx, ['invites']);
  const id = (await runAdminCommand(cluster.ctx, ['invites'])).out!.slice(0, 36);
  await runAdminCommand(cluster.ctx, ['invites', 'revoke', id]);
  const { out } = await runAdminCommand(cluster.ctx, ['audit-log', '4']);
  expect(out!.split('\n').map((line) => line.split('  ').slice(2).join(' '))).toEqual([
    `done invites revoke ${id}`,
    'done invites',
    'done invites',
    'done invite --uses 3 --days 7',
  ]);
  for (const wrong of [['--uses', '0'], ['--days', 'x'], ['--email', 'nobody'], ['--to', 'a@b.example'], ['extra']])
    expect(await runAdminCommand(cluster.ctx, ['invite', ...wrong])).toMatchObject({ code: 2 });
});

test('on an open server an invite is neither needed nor used', async () => {
  const token = await invite();
  const browser = byEmail();
  expect(await browser.signUp(newEmail(), undefined, token)).toMatchObject({ status: 200 });
  expect(await browser.call(getSession)).toMatchObject({ status: 200 });
  expect((await runAdminCommand(cluster.ctx, ['invites'])).out).toContain('1 of 1 left');
});
