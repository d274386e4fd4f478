/**
 * An attacker who controls only the mailbox resets the password and continues from there; the owner's phone objects.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import * as backup from '@dostar/protocol/contract/key-backup';
import * as emails from '@dostar/protocol/contract/emails';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as deviceTransfer from '@dostar/protocol/contract/device-transfer';
import * as keys from '@dostar/protocol/contract/device-keys';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as recovery from '@dostar/protocol/contract/recovery';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as accountUnlock from '@dostar/protocol/contract/account-unlock';
import * as vault from '@dostar/protocol/contract/vault';
import type { AccountId } from '@dostar/protocol/ids';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { purgeRecoveryData } from '../src/features/identity/use-cases/recovery-jobs.ts';
import { claimIdentity, findAccountOf } from '../src/features/identity/accounts/service.ts';
import { listAppwriteSessions, startAppwriteSession } from '../src/appwrite/accounts/service.ts';
import { newEmail } from './browser.ts';
import { RecoveringBrowser, tokenIn } from './recovering-browser.ts';
import { makeApp } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { answer, makePasskey } from './soft-authenticator.ts';
import type { SoftPasskey } from './soft-authenticator.ts';
import { TestDevice, TestIdentity } from './test-device.ts';
import { callServer, startTestCluster } from './test-cluster.ts';
import type { Answer, TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;
let skippedMs = 0;
let thieves = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, overrides: { clock }, env: { SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

class Browser extends RecoveringBrowser {
  constructor() {
    super(cluster.url, smtp);
  }

  async addPasskey(): Promise<SoftPasskey> {
    const { options, challenge } = (await this.call(passkeys.startPasskey, {})).body;
    const { passkey, response } = makePasskey(options);
    const wrap = { method: 'passkey', params: 'test', blob: 'FFFF', credential: passkey.id } as const;
    const made = await this.call(passkeys.finishPasskey, { challenge, response, name: 'A key', wrap });
    expect(made).toMatchObject({ status: 200 });
    return passkey;
  }

  async signInBy(passkey: SoftPasskey): Promise<Answer> {
    const { options, challenge } = (await this.call(passkeys.startPasskeyLogin, {})).body;
    return this.call(passkeys.finishPasskeyLogin, { challenge, response: answer(passkey, options) });
  }

  async addMail(email: string): Promise<void> {
    await this.call(factors.startCodeFactor, { kind: 'email', locale: 'en' });
    const confirmed = await this.call(factors.confirmFactor, { kind: 'email', code: await codeIn(email, 2) });
    expect(confirmed).toMatchObject({ status: 200 });
  }

  /** Sets up an authenticator app. */
  async addApp(): Promise<void> {
    const { secret } = (await this.call(factors.startTotp, {})).body;
    const confirmed = await this.call(factors.confirmFactor, { kind: 'totp', code: makeApp(secret, clock.now)() });
    expect(confirmed).toMatchObject({ status: 200 });
  }

  async idOf(): Promise<AccountId> {
    return (await this.call(sessions.getSession)).body.account;
  }

  /** Throws for other statuses: a caller that repeats until a session ends would otherwise accept `rate_limited`. */
  async isIn(): Promise<boolean> {
    const { status } = await this.call(sessions.getSession);
    expect([200, 401]).toContain(status);
    return status === 200;
  }
}

/** The newest code, once `count` emails with codes have arrived. */
async function codeIn(email: string, count: number): Promise<string> {
  const find = (): string[] =>
    smtp.emails
      .filter((message) => message.to.includes(email) && /^Subject: .* code\r?$/m.test(message.raw))
      .flatMap(({ raw }) => /\b(\d{6})\b/.exec(raw.slice(raw.indexOf('\r\n\r\n')))?.[1] ?? []);
  await expect.poll(() => find().length).toBe(count);
  return find().at(-1)!;
}

function newPoint(): string {
  return Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url');
}

const wrap = (method: 'password' | 'recovery', blob: string) => ({ method, params: 'test', blob });
const FORBIDDEN = { status: 403, body: { error: 'forbidden' } };

/** The owner has a phone, on which `before` runs. Then the attacker resets the password by email. */
async function takeOver<T>(before?: (phone: Browser, email: string) => Promise<T>) {
  const [phone, thief, email] = [new Browser(), new Browser(), newEmail()];
  await phone.signUp(email, 'the old one');
  const had = (await before?.(phone, email)) as T;
  skippedMs += 1_000;
  // Each attacker has another address, because emails are limited by address.
  const from = { 'x-forwarded-for': `198.51.100.${(thieves += 1)}` };
  await callServer(cluster.url, recovery.requestPasswordReset, undefined, { email, locale: 'en' }, from);
  await thief.resetPassword(await tokenIn(smtp, email), 'the new one');
  await thief.signIn(email, 'the new one');
  return { phone, thief, email, had };
}

async function lock(phone: Browser): Promise<void> {
  const proof = await phone.proveOldPassword('the old one');
  expect(await phone.call(accountUnlock.lockAccount, proof)).toMatchObject({ status: 200 });
}

describe('"it was not me"', () => {
  test('removes every way of signing in that was added since the reset, and keeps the earlier ones', async () => {
    const { phone, thief, email, had } = await takeOver((owner) => owner.addPasskey());
    const account = await phone.idOf();
    const theirs = await thief.addPasskey();
    const identity = { issuer: 'https://accounts.example', subject: email };
    await claimIdentity(cluster.ctx, identity, account);
    await startAppwriteSession(cluster.ctx, account, { provider: 'google', factors: ['oauth2'], client: '' });
    await lock(phone);
    expect(await new Browser().signInBy(theirs)).toMatchObject({ status: 401, body: { error: 'passkey_refused' } });
    expect(await new Browser().signInBy(had)).toMatchObject({ status: 200 });
    expect(await findAccountOf(cluster.ctx, identity)).toBeUndefined();
    expect(await listAppwriteSessions(cluster.ctx, account)).toEqual([]);
    expect(await thief.isIn()).toBe(false);
    const { wraps } = (await phone.call(passwords.listWraps)).body;
    expect(wraps.map(({ blob }: { blob: string }) => blob).toSorted()).toEqual(['AAAA', 'FFFF']);
  });

  test('removes a second factor that would lock the owner out', async () => {
    const { phone, thief, email } = await takeOver();
    await thief.addApp();
    await lock(phone);
    expect(await new Browser().signIn(email, 'the old one')).toMatchObject({ status: 200, body: { owes: [] } });
  });

  test('ends a sign-in whose second factor is missing', async () => {
    const { phone, email } = await takeOver((owner) => owner.addApp());
    const waiting = new Browser();
    expect((await waiting.signIn(email, 'the new one')).body.owes).toContain('totp');
    await lock(phone);
    expect(await waiting.call(factors.listFactors)).toMatchObject({ status: 401 });
  });

  test('restores every previous wrap after a fresh start', async () => {
    const { phone, thief } = await takeOver((owner) =>
      owner.call(accountUnlock.putRecoveryWrap, { wrap: wrap('recovery', 'DDDD') }),
    );
    const { passwordSince } = (await thief.call(accountUnlock.getUnlockOptions)).body;
    await thief.call(accountUnlock.startFresh, { wrap: wrap('password', 'CCCC'), passwordSince });
    await lock(phone);
    const { wraps } = (await phone.call(passwords.listWraps)).body;
    expect(wraps.map(({ blob }: { blob: string }) => blob).toSorted()).toEqual(['AAAA', 'DDDD']);
  });
});

describe('an attacker with the mailbox only', () => {
  test('H7: ends no earlier session, neither by a call nor by signing in again and again', async () => {
    const { phone, thief, email } = await takeOver();
    const second = new Browser();
    await second.signIn(email, 'the new one');
    expect(await thief.call(sessions.revokeSessions, {})).toMatchObject({ status: 200 });
    expect(await second.isIn()).toBe(false);
    const { sessions: left } = (await thief.call(sessions.listSessions)).body;
    const older = left.find(({ isThis }: { isThis: boolean }) => !isThis).id;
    expect(await thief.call(sessions.revokeSessions, { session: older })).toMatchObject(FORBIDDEN);
    await thief.prove('the new one');
    expect(await thief.changePassword('another one', { endOthers: true })).toMatchObject({ status: 200 });
    for (let n = 0; n < 10; n += 1) await new Browser().signIn(email, 'another one');
    expect(await phone.isIn()).toBe(true);
  });

  test('can replace the recovery key, and the previous one is restored', async () => {
    const { phone, thief } = await takeOver((owner) =>
      owner.call(accountUnlock.putRecoveryWrap, { wrap: wrap('recovery', 'DDDD') }),
    );
    for (const blob of ['EEEE', 'FFFF']) {
      const made = { wrap: wrap('recovery', blob) };
      expect(await thief.call(accountUnlock.putRecoveryWrap, made)).toMatchObject({ status: 200 });
    }
    await lock(phone);
    const { wraps } = (await phone.call(passwords.listWraps)).body;
    expect(wraps.map(({ blob }: { blob: string }) => blob).toSorted()).toEqual(['AAAA', 'DDDD']);
  });

  test('H7: removes no earlier passkey or address', async () => {
    const { thief, had } = await takeOver((owner) => owner.addPasskey());
    expect(await thief.call(passkeys.removePasskey, { id: had.id })).toMatchObject(FORBIDDEN);
    expect(await thief.call(emails.startEmailChange, { email: newEmail(), locale: 'en' })).toMatchObject(FORBIDDEN);
    // An attacker can remove only what they added.
    const theirs = await thief.addPasskey();
    expect(await thief.call(passkeys.removePasskey, { id: theirs.id })).toMatchObject({ status: 200 });
  });

  test('removes no earlier second factor, even one that the mailbox can answer', async () => {
    const { thief, email } = await takeOver((owner, address) => owner.addMail(address));
    // The code is sent to the mailbox that the attacker controls.
    await thief.call(factors.sendFactorCode, { kind: 'email', locale: 'en' });
    const code = await codeIn(email, 3);
    expect(await thief.call(factors.verifyFactor, { kind: 'email', code })).toMatchObject({ status: 200 });
    expect(await thief.call(factors.removeFactor, { kind: 'email' })).toMatchObject(FORBIDDEN);
    expect(await thief.call(factors.renewRecoveryCodes, {})).toMatchObject(FORBIDDEN);
    await thief.addApp();
    expect(await thief.call(factors.removeFactor, { kind: 'totp' })).toMatchObject({ status: 200 });
  });

  test('H7: deletes no account that still has a device', async () => {
    const { phone, thief } = await takeOver();
    const userId = await phone.idOf();
    expect(await thief.call(accounts.deleteUser, { userId })).toMatchObject(FORBIDDEN);
    expect(await phone.isIn()).toBe(true);
    expect(await phone.call(accounts.deleteUser, { userId })).toMatchObject({ status: 200 });
  });

  test('H7: deletes no account that still has a passkey of its owner', async () => {
    const { phone, thief, had } = await takeOver((owner) => owner.addPasskey());
    const userId = await phone.idOf();
    await phone.call(sessions.revokeCurrentSession);
    expect(await thief.call(accounts.deleteUser, { userId })).toMatchObject(FORBIDDEN);
    expect(await new Browser().signInBy(had)).toMatchObject({ status: 200 });
  });

  test('can renew the account key, and the old password still unlocks the old data', async () => {
    const { phone, thief } = await takeOver(async (owner) => {
      await owner.call(accountUnlock.putRecoveryWrap, { wrap: wrap('recovery', 'DDDD') });
      await owner.call(vault.putVault, { kind: 'secrets', rev: 0, blob: 'b3du' });
    });
    const renewal = { vaults: [{ kind: 'secrets' as const, rev: 1, blob: 'dGhpZWY' }] };
    await thief.prove('the new one');
    expect(await thief.changePassword('another one', { endOthers: false, renewal })).toMatchObject({ status: 200 });
    expect(await phone.isIn()).toBe(true);
    const proof = await phone.proveOldPassword('the old one');
    expect(await phone.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({
      body: { wrap: { blob: 'AAAA' } },
    });
    await lock(phone);
    const { wraps } = (await phone.call(passwords.listWraps)).body;
    expect(wraps.map(({ blob }: { blob: string }) => blob).toSorted()).toEqual(['AAAA', 'DDDD']);
    expect(await phone.call(vault.getVault, { kind: 'secrets' })).toMatchObject({ body: { rev: 1, blob: 'b3du' } });
  });

  test('can overwrite the vault and delete the backup, and both are restored', async () => {
    const recipe = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: { public_key: 'x' } } as const;
    const { phone, thief, had } = await takeOver(async (owner) => {
      await owner.call(vault.putVault, { kind: 'secrets', rev: 0, blob: 'b3du' });
      return (await owner.call(backup.createBackup, recipe)).body.version as string;
    });
    await thief.call(vault.putVault, { kind: 'secrets', rev: 1, blob: 'dGhpZWY' });
    await thief.call(vault.putVault, { kind: 'secrets', rev: 2, blob: 'dGhpZWY' });
    const { version } = (await thief.call(backup.createBackup, recipe)).body;
    expect(await thief.call(backup.deleteBackup, { version: had })).toMatchObject({ status: 200 });
    expect(await thief.call(backup.getBackup, {})).toMatchObject({ body: { version } });
    await lock(phone);
    expect(await phone.call(vault.getVault, { kind: 'secrets' })).toMatchObject({ body: { rev: 1, blob: 'b3du' } });
    expect(await phone.call(backup.getBackup, {})).toMatchObject({ body: { version: had } });
  });
});

test('an attacker with the mailbox can publish another identity, and the previous one is restored', async () => {
  const { phone, thief, had } = await takeOver(publishIdentity);
  await publishIdentity(thief);
  await lock(phone);
  const { body } = await phone.call(keys.queryKeys, { device_keys: { [had.user]: [] } });
  expect(body.master_keys[had.user].keys).toEqual(had.upload.master_key.keys);
});

async function publishIdentity(browser: Browser): Promise<TestIdentity> {
  const identity = new TestIdentity((await browser.call(sessions.getSession)).body);
  expect(await browser.call(keys.uploadSigningKeys, identity.upload)).toMatchObject({ status: 200 });
  return identity;
}

async function setIdentityAge(browser: Browser, age: number | null): Promise<void> {
  const account = await browser.idOf();
  await cluster.ctx.shards
    .of(account)
    .query((db) => db.updateTable('identity_key').set({ created_at: age }).where('owner', '=', account).execute());
}

async function signDevice(browser: Browser, identity: TestIdentity): Promise<void> {
  const device = new TestDevice((await browser.call(sessions.getSession)).body);
  expect(await browser.call(keys.uploadKeys, { device_keys: device.deviceKeys })).toMatchObject({ status: 200 });
  const signed = identity.signBy(identity.selfSigning, device.deviceKeys);
  const signatures = { [device.user]: { [device.id]: signed } };
  expect(await browser.call(keys.uploadSignatures, signatures)).toMatchObject({ status: 200, body: { failures: {} } });
}

describe('a person who did forget', () => {
  test('may end the earlier sessions after giving the old password', async () => {
    const { phone, thief: laptop } = await takeOver();
    const proof = await laptop.proveOldPassword('the old one');
    expect(await laptop.call(accountUnlock.openOldPasswordWrap, proof)).toMatchObject({ status: 200 });
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });

  test('may do so with an earlier passkey', async () => {
    const { phone, had } = await takeOver((owner) => owner.addPasskey());
    const laptop = new Browser();
    expect(await laptop.signInBy(had)).toMatchObject({ status: 200 });
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });

  test('may do so with the key from an earlier device', async () => {
    const { phone, thief: laptop } = await takeOver();
    const [askerKey, giverKey] = [newPoint(), newPoint()];
    const commitment = createHash('sha256').update(askerKey, 'base64url').digest('base64url');
    const { id } = (await laptop.call(deviceTransfer.requestDeviceTransfer, { commitment })).body;
    await phone.call(deviceTransfer.answerDeviceTransfer, { id, publicKey: giverKey });
    await laptop.call(deviceTransfer.revealDeviceTransfer, { id, publicKey: askerKey });
    expect(await phone.call(deviceTransfer.sealDeviceTransfer, { id, sealed: 'AAAA' })).toMatchObject({ status: 200 });
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });

  test('may do so with the recovery key, whose vault signs the device', async () => {
    const { phone, thief: laptop, had } = await takeOver(publishIdentity);
    await signDevice(laptop, had);
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });

  test('may not do so with an identity that was created since', async () => {
    const { phone, thief } = await takeOver(publishIdentity);
    await signDevice(thief, await publishIdentity(thief));
    await thief.call(sessions.revokeSessions, {});
    expect(await phone.isIn()).toBe(true);
  });

  test('may not do so if an older process stored the identity without its age', async () => {
    const { phone, thief } = await takeOver(publishIdentity);
    const theirs = await publishIdentity(thief);
    await setIdentityAge(thief, 0);
    await signDevice(thief, theirs);
    await thief.call(sessions.revokeSessions, {});
    expect(await phone.isIn()).toBe(true);
  });

  test('may do so with an identity without a stored age once a device was signed again', async () => {
    const known = await takeOver(async (owner) => {
      const identity = await publishIdentity(owner);
      await setIdentityAge(owner, null);
      await signDevice(owner, identity);
      return identity;
    });
    const { phone, thief: laptop, had } = known;
    await signDevice(laptop, had);
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });

  test('may not do so with the first identity of the account', async () => {
    const { phone, thief } = await takeOver();
    await signDevice(thief, await publishIdentity(thief));
    await thief.call(sessions.revokeSessions, {});
    expect(await phone.isIn()).toBe(true);
  });

  test('may delete the account at once if nothing from before the reset is left', async () => {
    const { phone, thief: laptop } = await takeOver();
    const userId = await phone.idOf();
    await phone.call(sessions.revokeCurrentSession);
    expect(await laptop.call(accounts.deleteUser, { userId })).toMatchObject({ status: 200 });
  });

  test('may delete the account after a month in any case', async () => {
    const { phone, thief: laptop, email } = await takeOver();
    skippedMs += accountUnlock.RECOVERY_RETENTION_MS + 1_000;
    await purgeRecoveryData(cluster.ctx);
    await laptop.signIn(email, 'the new one');
    await laptop.call(sessions.revokeSessions, {});
    await expect.poll(() => phone.isIn()).toBe(false);
  });
});
