/** Somebody who has lost every way to their keys begins anew; an owner who did not want that gets everything back. */
import type { SealedBrowser } from '@dostar/client/testing/owners';
import { createAccountUnlock } from '@dostar/client/unlocking';
import type { ChatId } from '@dostar/protocol/ids';
import { authOf, resetPassword } from '../../harness/people/passwords.ts';
import { doorOf, enter, openOf, PASSWORD, stranger } from './check-secrets.ts';
import { hasEvent, show, type Trial } from '../../harness/trial/trial.ts';

const NEXT = 'five words are quite enough';

export async function checkFreshStart(trial: Trial): Promise<void> {
  const { browser, account, chat, phone } = await enter(trial, 'before');
  await resetPassword(doorOf(trial), browser.email, NEXT);
  const later = stranger(trial);
  await later.auth.signIn(browser.email, NEXT);
  await createAccountUnlock(authOf(later)).startFresh(account, NEXT);
  const own = await openOf(trial, later);
  await trial.becomes('it can read and write', () => hasEvent(own, 'waiting device visited'));
  const identityOf = () => phone!.client.keys.identityOf(account);
  await trial.becomes('contacts see that it is another', async () => (await identityOf()) === 'changed');
  await phone!.client.keys.acceptIdentity(account);
  await phone!.client.sendText({ to: account, text: 'after' });
  await trial.read(chat, ['(waiting)', 'after'], own);
  const next = stranger(trial);
  await next.auth.signIn(browser.email, NEXT);
  await trial.read(chat, ['(waiting)', 'after'], await openOf(trial, next));
}

export async function checkBroughtBack(trial: Trial): Promise<void> {
  const { browser, account, chat, alice, phone } = await enter(trial, 'before');
  // From a browser that has not written yet: nobody of theirs hears of its key but the device that waits.
  const tablet = await trial.signIn(alice);
  await tablet.client.sendText({ to: account, text: 'while you were away' });
  await trial.ready('it is sent', async () => (await show(tablet, chat)).length === 2 && (await isSent(tablet, chat)));
  await resetPassword(doorOf(trial), browser.email, NEXT);
  const thief = stranger(trial);
  await thief.auth.signIn(browser.email, NEXT);
  await createAccountUnlock(authOf(thief)).startFresh(account, NEXT);
  const theirs = await openOf(trial, thief);
  await trial.ready('the thief has begun anew', () => hasEvent(theirs, 'waiting device visited'));
  await theirs.client[Symbol.asyncDispose]();
  await createAccountUnlock(authOf(browser)).lock(PASSWORD);
  const back = stranger(trial);
  await back.auth.signIn(browser.email, PASSWORD);
  await trial.read(chat, ['before', 'while you were away'], await openOf(trial, back));
  const identityOf = () => phone!.client.keys.identityOf(account);
  await trial.becomes('to contacts it is who it was', async () => (await identityOf()) === 'known');
}

async function isSent(browser: SealedBrowser, chat: ChatId): Promise<boolean> {
  return (await show(browser, chat)).every(({ status }) => status !== 'sending' && status !== 'failed');
}
