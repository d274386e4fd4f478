/** A user without any way to their keys starts fresh; an owner whose thief did that gets everything back. */
import type { SealedBrowser } from '@dostar/client/testing/owners';
import { createAccountUnlock } from '@dostar/client/account-unlock';
import type { ChatId } from '@dostar/protocol/ids';
import { authOf, resetPassword } from '../../harness/accounts/passwords.ts';
import { authEnvironmentOf, enter, openOf, PASSWORD, stranger } from './check-secrets.ts';
import { hasEvent, show, type CheckRun } from '../../harness/checks/check-run.ts';

const NEXT = 'five words are quite enough';

export async function checkFreshStart(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat, phone } = await enter(checkRun, 'before');
  await resetPassword(authEnvironmentOf(checkRun), browser.email, NEXT);
  const later = stranger(checkRun);
  await later.auth.signIn(browser.email, NEXT);
  await createAccountUnlock(authOf(later)).startFresh(account, NEXT);
  const own = await openOf(checkRun, later);
  await checkRun.becomes('it can read and write', () => hasEvent(own, 'dehydrated device visited'));
  const identityOf = () => phone!.client.keys.identityOf(account);
  await checkRun.becomes('contacts see a new identity', async () => (await identityOf()) === 'changed');
  await phone!.client.keys.acceptIdentity(account);
  await phone!.client.sendText({ to: account, text: 'after' });
  await checkRun.read(chat, ['(waiting)', 'after'], own);
  const next = stranger(checkRun);
  await next.auth.signIn(browser.email, NEXT);
  await checkRun.read(chat, ['(waiting)', 'after'], await openOf(checkRun, next));
}

export async function checkBroughtBack(checkRun: CheckRun): Promise<void> {
  const { browser, account, chat, alice, phone } = await enter(checkRun, 'before');
  // Sends from a browser that has not written yet, so that only the recipient's dehydrated device gets the key.
  const tablet = await checkRun.signIn(alice);
  await tablet.client.sendText({ to: account, text: 'while you were away' });
  await checkRun.ready(
    'it is sent',
    async () => (await show(tablet, chat)).length === 2 && (await isSent(tablet, chat)),
  );
  await resetPassword(authEnvironmentOf(checkRun), browser.email, NEXT);
  const thief = stranger(checkRun);
  await thief.auth.signIn(browser.email, NEXT);
  await createAccountUnlock(authOf(thief)).startFresh(account, NEXT);
  const theirs = await openOf(checkRun, thief);
  await checkRun.ready('the thief has started fresh', () => hasEvent(theirs, 'dehydrated device visited'));
  await theirs.client[Symbol.asyncDispose]();
  await createAccountUnlock(authOf(browser)).lock(PASSWORD);
  const back = stranger(checkRun);
  await back.auth.signIn(browser.email, PASSWORD);
  await checkRun.read(chat, ['before', 'while you were away'], await openOf(checkRun, back));
  const identityOf = () => phone!.client.keys.identityOf(account);
  await checkRun.becomes(
    'contacts see the same identity as before the theft',
    async () => (await identityOf()) === 'known',
  );
}

async function isSent(browser: SealedBrowser, chat: ChatId): Promise<boolean> {
  return (await show(browser, chat)).every(({ status }) => status !== 'sending' && status !== 'failed');
}
