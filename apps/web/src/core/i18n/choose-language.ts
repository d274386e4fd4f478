import { type LocaleCode, rememberLocale } from './locale.ts';
import { readSession } from '../session/session.ts';

/** Remembered in this browser and, for those who are signed in, with the account: letters are written in it. */
export function chooseLanguage(code: LocaleCode): void {
  rememberLocale(code);
  const session = readSession();
  if (session.status !== 'signed-in') return;
  const { id } = session.account;
  // Not waited for: the page changes at once, and a letter in the wrong language does no harm.
  void import('../session/session-call.ts').then(({ callSetLanguage }) => callSetLanguage(id, code));
}
