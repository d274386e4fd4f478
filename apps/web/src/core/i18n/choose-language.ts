import { type LocaleCode, rememberLocale } from './locale.ts';
import { readSession } from '../session/session.ts';

/** Stores the language in this browser and, for signed-in users, with the account, whose emails use it. */
export function chooseLanguage(code: LocaleCode): void {
  rememberLocale(code);
  const session = readSession();
  if (session.status !== 'signed-in') return;
  const { id } = session.account;
  // Fire-and-forget: the page changes immediately, and an email in the wrong language does no harm.
  void import('../session/session-call.ts').then(({ callSetLanguage }) => callSetLanguage(id, code));
}
