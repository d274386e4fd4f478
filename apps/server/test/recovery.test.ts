/**
 * Recovery of a forgotten password over HTTP, with real emails and real OPAQUE, and its limits for an attacker with the
 * mailbox.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as opaque from '@serenity-kit/opaque';
import * as emails from '@dostar/protocol/contract/emails';
import * as deviceTransfer from '@dostar/protocol/contract/device-transfer';
import * as links from '@dostar/protocol/contract/email-links';
import * as accountAlerts from '@dostar/protocol/contract/account-alerts';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as recovery from '@dostar/protocol/contract/recovery';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as accountUnlock from '@dostar/protocol/contract/account-unlock';
import * as vault from '@dostar/protocol/contract/vault';
import * as users from '@dostar/protocol/contract/users';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { AccountId } from '@dostar/protocol/ids';
import { putChange } from '../src/features/identity/emails/store.ts';
import { purgeRecoveryData } from '../src/features/identity/use-cases/recovery-jobs.ts';
import { newEmail } from './browser.ts';
import { RecoveringBrowser, tokenIn } from './recovering-browser.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;
let hiding: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const options = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), overrides: { clock } };
  cluster = await startTestCluster({ ...options, env: { SMTP_URL: smtp.url } });
  hiding = await startTestCluster({ ...options, env: { SMTP_URL: smtp.url, AUTH_HIDE_ACCOUNTS: 'true' } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await hiding[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

class Browser extends RecoveringBrowser {
  constructor(url = cluster.url) {
    super(url, smtp);
  }
}

function emailsTo(email: string): string[] {
  return smtp.emails.filter((message) => message.to.includes(email)).map((message) => message.raw);
}

const tokenFor = (email: string, count = 1): Promise<string> => tokenIn(smtp, email, count);

async function forget(email: string): Promise<string> {
  expect(await new Browser().call(recovery.requestPasswordReset, { email, locale: 'en' })).toMatchObject({
    status: 200,
  });
  return tokenFor(email);
}

const wrap = (method: 'password' | 'recovery', blob: string) => ({ method, params: 'test', blob });

test('the email sets a new password; the old one no longer signs in, and no keys are returned', async () => {
  const [phone, thief, email] = [new Browser(), new Browser(), newEmail()];
  await phone.signUp(email, 'the old one');
  const token = await forget(email);
  expect(await thief.call(links.getEmailLink, { token })).toMatchObject({
    body: { purpose: 'recovery', address: email },
  });
  expect(await thief.resetPassword(token, 'the new one')).toMatchObject({ status: 200, body: { email } });
  expect(await new Browser().signIn(email, 'the old one')).toMatchObject({ status: 0 });
  expect(await thief.signIn(email, 'the new one')).toMatchObject({ status: 200 });
  expect(await thief.call(passwords.listWraps)).toMatchObject({ body: { wraps: [] } });
  expect(await thief.call(accountUnlock.getUnlockOptions)).toMatchObject({
    body: { wraps: [], oldPasswordUntil: expect.any(Number) },
  });
  // The reset ends no session, so the owner's device can object.
  expect(await phone.call(sessions.getSession)).toMatchObject({ status: 200 });
});

test('a link works once, and for an hour', async () => {
  const email = newEmail();
  await new Browser().signUp(email, 'the old one');
  const token = await forget(email);
  expect(await new Browser().resetPassword(token, 'one')).toMatchObject({ status: 200 });
  expect(await new Browser().call(links.getEmailLink, { token })).toMatchObject({
    status: 410,
    body: { error: 'link_used' },
  });
  expect(await new Browser().resetPassword(token, 'two')).toMatchObject({ status: 410, body: { error: 'link_used' } });

  await new Browser().call(recovery.requestPasswordReset, { email, locale: 'en' });
  const late = await tokenFor(email, 2);
  skippedMs += links.EMAIL_LINK_LIFETIME_MS.recovery + 1_000;
  expect(await new Browser().resetPassword(late, 'two')).toMatchObject({
    status: 410,
    body: { error: 'link_expired' },
  });
  const madeUp = randomBytes(32).toString('base64url');
  expect(await new Browser().call(links.getEmailLink, { token: madeUp })).toMatchObject({
    body: { error: 'link_expired' },
  });
});

test('an unknown address is reported as such, unless accounts are hidden', async () => {
  const ask = { email: newEmail(), locale: 'en' } as const;
  expect(await new Browser().call(recovery.requestPasswordReset, ask)).toMatchObject({
    body: { error: 'email_not_found' },
  });
  expect(await new Browser(hiding.url).call(recovery.requestPasswordReset, ask)).toEqual({
    status: 200,
    body: { success: true },
  });
  expect(emailsTo(ask.email)).toEqual([]);
});

test('three emails an hour to one address', async () => {
  const email = newEmail();
  await new Browser().signUp(email);
  const statuses = [];
  for (let n = 0; n < 4; n += 1)
    statuses.push((await new Browser().call(recovery.requestPasswordReset, { email, locale: 'en' })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

async function reset() {
  const [phone, laptop, email] = [new Browser(), new Browser(), newEmail()];
  await phone.signUp(email, 'the old one');
  skippedMs += 1_000;
  await laptop.resetPassword(await forget(email), 'the new one');
  await laptop.signIn(email, 'the new one');
  return { phone, laptop, email };
}

describe('after a reset', () => {
  test('the old password unlocks the old wrap for a month, and allows no sign-in', async () => {
    const { laptop } = await reset();
    expect(await laptop.proveOldPassword('another one')).toBeUndefined();
    const proof = await laptop.proveOldPassword('the old one');
    expect(await laptop.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({
      body: { wrap: { blob: 'AAAA' } },
    });
    // A proof works once.
    expect(await laptop.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({ status: 401 });
    skippedMs += accountUnlock.RECOVERY_RETENTION_MS;
    await purgeRecoveryData(cluster.ctx);
    expect(await laptop.proveOldPassword('the old one')).toBeUndefined();
  });

  test('a proof of one account is refused for another', async () => {
    const [{ laptop: one }, { laptop: other }] = [await reset(), await reset()];
    const proof = await one.proveOldPassword('the old one');
    expect(await other.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({ status: 401 });
  });

  test('the account key can be wrapped once, and only by the current password', async () => {
    const { laptop, email } = await reset();
    const { passwordSince } = (await laptop.call(accountUnlock.getUnlockOptions)).body;
    const put = (since: number) =>
      laptop.call(accountUnlock.putPasswordWrap, { wrap: wrap('password', 'BBBB'), passwordSince: since });
    expect(await put(passwordSince - 1)).toMatchObject({ body: { error: 'stale_password' } });
    expect(await put(passwordSince)).toMatchObject({ status: 200 });
    expect(await put(passwordSince)).toMatchObject({ body: { error: 'stale_password' } });
    const other = new Browser();
    await other.signIn(email, 'the new one');
    expect(await other.call(passwords.listWraps)).toMatchObject({ body: { wraps: [{ blob: 'BBBB' }] } });
  });

  test('a second reset keeps the wrap that the first one archived', async () => {
    const { laptop, email } = await reset();
    const { passwordSince } = (await laptop.call(accountUnlock.getUnlockOptions)).body;
    await laptop.call(accountUnlock.putPasswordWrap, { wrap: wrap('password', 'EEEE'), passwordSince });
    await new Browser().call(recovery.requestPasswordReset, { email, locale: 'en' });
    await new Browser().resetPassword(await tokenFor(email, 2), 'a third one');
    const proof = await laptop.proveOldPassword('the old one');
    expect(await laptop.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({
      body: { wrap: { blob: 'AAAA' } },
    });
  });

  test('earlier devices are informed, and can restore the old password', async () => {
    const { phone, laptop, email } = await reset();
    const told = await phone.call(accountAlerts.getAccountAlerts);
    expect(told.body).toMatchObject({ reset: { at: expect.any(Number) }, signIns: [{ client: '' }] });
    expect((await laptop.call(accountAlerts.getAccountAlerts)).body).toMatchObject({ reset: null, signIns: [] });

    await phone.call(vault.putVault, { kind: 'secrets', rev: 0, blob: 'b3du' });
    const { passwordSince } = (await laptop.call(accountUnlock.getUnlockOptions)).body;
    await laptop.call(accountUnlock.startFresh, { wrap: wrap('password', 'CCCC'), passwordSince });
    expect(await laptop.call(vault.getVault, { kind: 'secrets' })).toMatchObject({ body: { rev: 0, blob: null } });
    await laptop.call(vault.putVault, { kind: 'secrets', rev: 0, blob: 'dGhpZWY' });
    await laptop.call(vault.putVault, { kind: 'trust', rev: 0, blob: 'dGhpZWY' });
    const bad = await laptop.proveOldPassword('the old one');
    expect(await laptop.call(accountUnlock.lockAccount, bad)).toMatchObject({ status: 403 });
    const proof = await phone.proveOldPassword('the old one');
    expect(await phone.call(accountUnlock.lockAccount, proof)).toMatchObject({ status: 200 });

    await expect.poll(async () => (await laptop.call(sessions.getSession)).status).toBe(401);
    expect(await new Browser().signIn(email, 'the new one')).toMatchObject({ status: 0 });
    expect(await new Browser().signIn(email, 'the old one')).toMatchObject({ status: 200 });
    expect(await phone.call(passwords.listWraps)).toMatchObject({ body: { wraps: [{ blob: 'AAAA' }] } });
    expect(await phone.call(vault.getVault, { kind: 'secrets' })).toMatchObject({ body: { rev: 1, blob: 'b3du' } });
    expect(await phone.call(vault.getVault, { kind: 'trust' })).toMatchObject({ body: { rev: 0, blob: null } });
    await expect.poll(() => emailsTo(email).some((raw) => raw.includes('previous password is back'))).toBe(true);
    // No recovery email is sent for a day.
    const before = emailsTo(email).length;
    await new Browser().call(recovery.requestPasswordReset, { email, locale: 'en' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(emailsTo(email).filter((raw) => raw.includes('reset-password')).length).toBe(1);
    expect(emailsTo(email).length).toBeLessThanOrEqual(before + 1);
  });

  test('restoring the old password deletes a vault that did not exist before the reset', async () => {
    const { phone, laptop } = await reset();
    await phone.call(vault.putVault, { kind: 'secrets', rev: 0, blob: 'b3du' });
    await laptop.call(vault.putVault, { kind: 'trust', rev: 0, blob: 'dGhpZWY' });
    await phone.call(accountUnlock.lockAccount, await phone.proveOldPassword('the old one'));
    expect(await phone.call(vault.getVault, { kind: 'secrets' })).toMatchObject({ body: { rev: 1, blob: 'b3du' } });
    expect(await phone.call(vault.getVault, { kind: 'trust' })).toMatchObject({ body: { rev: 0, blob: null } });
  });

  test('a fresh start archives every wrap and stores the new one', async () => {
    const { phone, laptop } = await reset();
    await phone.call(accountUnlock.putRecoveryWrap, { wrap: wrap('recovery', 'DDDD') });
    const { passwordSince } = (await laptop.call(accountUnlock.getUnlockOptions)).body;
    expect(
      await laptop.call(accountUnlock.startFresh, { wrap: wrap('password', 'CCCC'), passwordSince }),
    ).toMatchObject({
      status: 200,
    });
    expect((await laptop.call(passwords.listWraps)).body.wraps).toEqual([wrap('password', 'CCCC')]);
  });

  test('recovery keys that are set at the same time wait for each other, and one of them remains', async () => {
    const phone = new Browser();
    await phone.signUp(newEmail());
    const blobs = Array.from({ length: 8 }, (_, at) => `DDD${at}`);
    const answers = await Promise.all(
      blobs.map((blob) => phone.call(accountUnlock.putRecoveryWrap, { wrap: wrap('recovery', blob) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(blobs.map(() => 200));
    const { wraps } = (await phone.call(passwords.listWraps)).body;
    expect((wraps as { method: string }[]).filter(({ method }) => method === 'recovery')).toHaveLength(1);
  });

  test('a device transfer accepts its steps only in order, and only from its two devices', async () => {
    const { phone, laptop, email } = await reset();
    const stranger = new Browser();
    await stranger.signUp(newEmail());
    const [askerKey, giverKey] = [newPoint(), newPoint()];
    const commitment = createHash('sha256').update(askerKey, 'base64url').digest('base64url');
    const { id } = (await laptop.call(deviceTransfer.requestDeviceTransfer, { commitment })).body;
    expect((await phone.call(accountAlerts.getAccountAlerts)).body.requests).toMatchObject([
      { id, state: 'asked', commitment, askerKey: null },
    ]);
    expect(await stranger.call(deviceTransfer.getDeviceTransfer, { id })).toMatchObject({ status: 404 });
    expect(await laptop.call(deviceTransfer.answerDeviceTransfer, { id, publicKey: giverKey })).toMatchObject({
      status: 403,
    });
    expect(await laptop.call(deviceTransfer.revealDeviceTransfer, { id, publicKey: askerKey })).toMatchObject({
      status: 403,
    });
    expect(await phone.call(deviceTransfer.answerDeviceTransfer, { id, publicKey: giverKey })).toMatchObject({
      status: 200,
    });
    expect(await phone.call(deviceTransfer.sealDeviceTransfer, { id, sealed: 'AAAA' })).toMatchObject({ status: 403 });
    expect(await laptop.call(deviceTransfer.revealDeviceTransfer, { id, publicKey: askerKey })).toMatchObject({
      status: 200,
    });
    // The attacker knows all keys, so the server must refuse to replace any.
    expect(await phone.call(deviceTransfer.answerDeviceTransfer, { id, publicKey: newPoint() })).toMatchObject({
      status: 403,
    });
    const third = new Browser();
    await third.signIn(email, 'the new one');
    expect(await third.call(deviceTransfer.sealDeviceTransfer, { id, sealed: 'AAAA' })).toMatchObject({ status: 403 });
    expect(await phone.call(deviceTransfer.sealDeviceTransfer, { id, sealed: 'AAAA' })).toMatchObject({ status: 200 });
    expect(await laptop.call(deviceTransfer.getDeviceTransfer, { id })).toMatchObject({
      body: { state: 'sealed', sealed: 'AAAA' },
    });
    skippedMs += deviceTransfer.DEVICE_TRANSFER_LIFETIME_MS;
    expect(await laptop.call(deviceTransfer.getDeviceTransfer, { id })).toMatchObject({ status: 404 });
  });
});

function newPoint(): string {
  return Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url');
}

test('a sign-in is announced by email and on the earlier devices, until the alert is dismissed', async () => {
  const [phone, laptop, email] = [new Browser(), new Browser(), newEmail()];
  await phone.signUp(email);
  skippedMs += 1_000;
  await laptop.signIn(email);
  await expect.poll(() => emailsTo(email).some((raw) => raw.includes('New sign-in'))).toBe(true);
  const [signIn] = (await phone.call(accountAlerts.getAccountAlerts)).body.signIns;
  await phone.call(accountAlerts.dismissAccountAlerts, { upTo: signIn.at });
  expect((await phone.call(accountAlerts.getAccountAlerts)).body.signIns).toEqual([]);
  expect((await laptop.call(accountAlerts.getAccountAlerts)).body.signIns).toEqual([]);
});

describe('the address', () => {
  test('changes once both addresses have confirmed, in any order, each only once', async () => {
    const [browser, email, next] = [new Browser(), newEmail(), newEmail()];
    await browser.signUp(email);
    expect(await browser.call(emails.startEmailChange, { email: next, locale: 'ru' })).toMatchObject({ status: 200 });
    const [atOld, atNew] = [await tokenFor(email), await tokenFor(next)];
    expect(await new Browser().call(emails.confirmEmailChange, { token: atNew })).toMatchObject({
      body: { result: 'half', address: next },
    });
    expect(await browser.call(emails.getEmail)).toMatchObject({
      body: { email, change: { address: next, isNewConfirmed: true, isOldConfirmed: false } },
    });
    expect(await new Browser().signIn(next)).toMatchObject({ status: 404 });
    expect(await new Browser().call(emails.confirmEmailChange, { token: atOld })).toMatchObject({
      body: { result: 'changed' },
    });
    expect(await new Browser().call(emails.confirmEmailChange, { token: atOld })).toMatchObject({
      body: { error: 'link_used' },
    });
    expect(await browser.call(users.getUser)).toMatchObject({ body: { email: next } });
    expect(await new Browser().signIn(next)).toMatchObject({ status: 200 });
    expect(await new Browser().signIn(email)).toMatchObject({ status: 404 });
  });

  test('of another account is refused, and a withdrawn change cannot be confirmed', async () => {
    const [browser, email, taken] = [new Browser(), newEmail(), newEmail()];
    await browser.signUp(email);
    await new Browser().signUp(taken);
    expect(await browser.call(emails.startEmailChange, { email: taken, locale: 'en' })).toMatchObject({
      body: { error: 'email_taken' },
    });
    const next = newEmail();
    await browser.call(emails.startEmailChange, { email: next, locale: 'en' });
    const token = await tokenFor(next);
    await browser.call(emails.cancelEmailChange, {});
    expect(await new Browser().call(emails.confirmEmailChange, { token })).toMatchObject({
      body: { error: 'link_expired' },
    });
  });

  test('a link confirms only the address that it was made for', async () => {
    const [browser, email, own, wanted] = [new Browser(), newEmail(), newEmail(), newEmail()];
    await browser.signUp(email);
    const account = (await browser.call(sessions.getSession)).body.account as AccountId;
    await browser.call(emails.startEmailChange, { email: own, locale: 'en' });
    const [atOld, atNew] = [await tokenFor(email), await tokenFor(own)];
    const createdAt = clock.now();
    await putChange(cluster.ctx.directory, account, { address: wanted, createdAt, expiresAt: createdAt + 60_000 });
    for (const token of [atNew, atOld]) {
      expect(await new Browser().call(emails.confirmEmailChange, { token })).toMatchObject({
        body: { error: 'link_expired' },
      });
    }
    expect(await browser.call(emails.getEmail)).toMatchObject({
      body: { email, change: { address: wanted, isNewConfirmed: false, isOldConfirmed: false } },
    });
  });

  test('of two changes begun at once one is left, with its own two links', async () => {
    const [browser, email, one, other] = [new Browser(), newEmail(), newEmail(), newEmail()];
    await browser.signUp(email);
    await Promise.all([one, other].map((next) => browser.call(emails.startEmailChange, { email: next, locale: 'en' })));
    const { address } = (await browser.call(emails.getEmail)).body.change;
    const [atOne, atOther] = [await tokenFor(one), await tokenFor(other)];
    const [good, bad] = address === one ? [atOne, atOther] : [atOther, atOne];
    expect(await new Browser().call(links.getEmailLink, { token: bad })).toMatchObject({ status: 410 });
    expect(await new Browser().call(emails.confirmEmailChange, { token: good })).toMatchObject({
      body: { result: 'half' },
    });
  });

  test('a link for one purpose is refused for another', async () => {
    const [browser, email, next] = [new Browser(), newEmail(), newEmail()];
    await browser.signUp(email);
    await browser.call(emails.startEmailChange, { email: next, locale: 'en' });
    expect(await new Browser().resetPassword(await tokenFor(next), 'mine now')).toMatchObject({ status: 410 });
    const other = newEmail();
    await new Browser().signUp(other);
    expect(await new Browser().call(emails.confirmEmailChange, { token: await forget(other) })).toMatchObject({
      status: 410,
    });
  });
});
