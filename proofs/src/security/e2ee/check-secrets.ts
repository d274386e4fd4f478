/** Which data a password unlocks, and which it does not. */
import { createAccountSettings } from '@dostar/client/account';
import type { SealedBrowser } from '@dostar/client/testing/owners';
import { createAccountUnlock } from '@dostar/client/account-unlock';
import { getBackup } from '@dostar/protocol/contract/key-backup';
import { confirmFactor, startTotp } from '@dostar/protocol/contract/second-factors';
import { listWraps } from '@dostar/protocol/contract/passwords';
import { getSession } from '@dostar/protocol/contract/sessions';
import { getVault } from '@dostar/protocol/contract/vault';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { directChat } from '@dostar/protocol/ids';
import type { z } from 'zod';
import { readVault } from '@dostar/client/vault';
import { makePerson } from '../limits/attacks.ts';
import type { Browser } from '@dostar/client/testing/http-browser';
import { lightOpaque } from '../../harness/accounts/light-opaque.ts';
import {
  authOf,
  type AuthEnvironment,
  openSignedOutBrowser,
  ownerOf,
  resetPassword,
} from '../../harness/accounts/passwords.ts';
import { totpCode } from '@dostar/tools/totp';
import { countBackedUp } from './check-backup.ts';
import { type CheckRun, hasEvent } from '../../harness/checks/check-run.ts';

export const PASSWORD = 'four words are enough';

export async function checkSecondFactor(checkRun: CheckRun): Promise<void> {
  const { browser: owner } = await enter(checkRun);
  const { secret } = await owner.call(startTotp, {});
  await owner.call(confirmFactor, { kind: 'totp', code: totpCode(secret) });
  const thief = stranger(checkRun);
  await thief.auth.signIn(owner.email, PASSWORD);
  const tries = {
    wraps: await thief.try(() => thief.call(listWraps)),
    vault: await thief.try(() => thief.call(getVault, { kind: 'secrets' })),
    backup: await thief.try(() => thief.call(getBackup, {})),
  };
  for (const [what, failure] of Object.entries(tries)) {
    checkRun.holds(`${what} wait for the second factor`, failure === 'factor_required', failure);
  }
}

export async function checkPasswordChange(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat } = await enter(checkRun, 'before the change');
  const next = 'five words are quite enough';
  await createAccountSettings(authOf(browser)).changePassword({ account, old: PASSWORD, next, endOthers: false });
  const later = stranger(checkRun);
  const refusal = await later.try(() => later.auth.signIn(browser.email, PASSWORD));
  checkRun.holds('the old password no longer signs in', refusal === 'wrong_password', refusal);
  await later.auth.signIn(browser.email, next);
  await checkRun.read(chat, ['before the change'], await openOf(checkRun, later));
}

/** An attacker has learned the password, signed in and stored the keys that it unlocked. */
export async function checkLeak(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat } = await enter(checkRun, 'before the leak');
  const thief = stranger(checkRun);
  await thief.auth.signIn(browser.email, PASSWORD);
  const stolen = (await thief.keys.get(account))!;
  await createAccountUnlock(authOf(browser)).makeRecoveryKey(account);
  const owner = await ownerOf(browser);
  const before = await checkRun.cluster.call(getBackup, owner.person, {});
  const next = 'five words are quite enough';
  const change = { account, old: PASSWORD, next, endOthers: false, isLeaked: true };
  await createAccountSettings(authOf(browser)).changePassword(change);
  checkRun.holds('the thief is signed out', (await thief.try(() => thief.call(getSession))) === 'unauthenticated');
  const { wraps } = await browser.call(listWraps);
  checkRun.holds('one wrap is left', wraps.length === 1, wraps.length);
  const call = <E extends Endpoint>(endpoint: E, body: z.input<E['body']>) => browser.call(endpoint, body);
  const vault = await readVault({ account, call, random: browser.deps.random }, 'secrets', stolen);
  checkRun.holds('the stolen key does not open the vault', vault.state === 'closed', vault.state);
  const own = await openOf(checkRun, browser);
  await checkRun.read(chat, ['before the leak'], own);
  const isGone = async () => {
    const { status } = await checkRun.cluster.call(getBackup, owner.person, { version: before.body.version as string });
    return status === 404;
  };
  await checkRun.becomes('the backup that it could read is gone', isGone);
  const later = stranger(checkRun);
  await later.auth.signIn(browser.email, next);
  await checkRun.read(chat, ['before the leak'], await openOf(checkRun, later));
}

/**
 * An attacker with access to the mailbox gets in but reads nothing; the old password and the recovery key unlock all.
 */
export async function checkReset(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat } = await enter(checkRun, 'before the reset');
  const { email } = browser;
  const proving = createAccountUnlock(authOf(browser));
  await browser.auth.signIn(email, PASSWORD);
  const recoveryKey = await proving.makeRecoveryKey(account);
  const next = 'five words are quite enough';
  await resetPassword(authEnvironmentOf(checkRun), email, next);

  const thief = stranger(checkRun);
  await thief.auth.signIn(email, next);
  checkRun.holds('no wrap opens after a reset', (await thief.call(listWraps)).wraps.every(isRecovery));
  checkRun.holds('nothing is unlocked by a reset', (await thief.keys.get(account)) === undefined);
  checkRun.holds('no session has ended', (await browser.try(() => browser.call(getSession))) === undefined);

  const keyed = stranger(checkRun);
  await keyed.auth.signIn(email, next);
  const way = await keyed.try(() => createAccountUnlock(authOf(keyed)).openWithRecoveryKey(account, recoveryKey));
  checkRun.holds('the recovery key opens', way === undefined, way);
  await checkRun.read(chat, ['before the reset'], await openOf(checkRun, keyed));
  const after = stranger(checkRun);
  await after.auth.signIn(email, next);
  checkRun.holds('the new password opens from then on', (await after.keys.get(account)) !== undefined);
}

export async function checkOldPassword(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat } = await enter(checkRun, 'before the reset');
  const next = 'five words are quite enough';
  await resetPassword(authEnvironmentOf(checkRun), browser.email, next);
  const later = stranger(checkRun);
  await later.auth.signIn(browser.email, next);
  const failure = await later.try(() => createAccountUnlock(authOf(later)).openWithOldPassword(account, PASSWORD));
  checkRun.holds('the old password still unlocks', failure === undefined, failure);
  await checkRun.read(chat, ['before the reset'], await openOf(checkRun, later));
}

/** Signs up a user with a password who, if `text` is given, has received it. */
export async function enter(checkRun: CheckRun, text?: string) {
  const urls = checkRun.cluster.servers.map(({ url }) => url);
  const browser = await makePerson({ urls, inbox: checkRun.environment.inbox });
  const { account } = await browser.call(getSession);
  const { alice } = await checkRun.addFriends();
  const chat = directChat(account, alice.person.account);
  let phone: SealedBrowser | undefined;
  if (text !== undefined) {
    const owner = await ownerOf(browser);
    await checkRun.cluster.befriend(owner.person, alice.person);
    phone = await checkRun.signIn(alice);
    const own = await openOf(checkRun, browser);
    await phone.client.sendText({ to: account, text });
    await checkRun.readFirst(chat, [text], own);
    await checkRun.ready('it is backed up', async () => (await countBackedUp(checkRun, owner)) === 1);
    // Otherwise nothing of the account would receive the keys of later messages.
    await checkRun.ready('it has a dehydrated device', () => hasEvent(own, 'dehydrated device visited'));
    await own.client[Symbol.asyncDispose]();
  }
  return { browser, account, chat, alice, phone };
}

export function authEnvironmentOf({ cluster, environment }: CheckRun): AuthEnvironment {
  return { urls: cluster.servers.map(({ url }) => url), inbox: environment.inbox, opaque: lightOpaque };
}

export function stranger(checkRun: CheckRun): Browser {
  return openSignedOutBrowser(authEnvironmentOf(checkRun));
}

/** Opens the client of a signed-in browser with the account key that it has. */
export async function openOf(checkRun: CheckRun, browser: Browser) {
  return checkRun.open(await ownerOf(browser));
}

function isRecovery({ method }: { method: string }): boolean {
  return method === 'recovery';
}
