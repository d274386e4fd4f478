/** Users with passwords: sign-in from a new browser, and password reset. */
import type { AuthDeps } from '@dostar/client/auth';
import type { Authenticator } from '@dostar/client/authenticator';
import type { OpaqueClient } from '@dostar/client/opaque';
import { createRecovery } from '@dostar/client/recovery';
import type { Owner } from '@dostar/client/testing/owners';
import { getSession, SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { waitFor } from '@dostar/tools/servers';
import { Browser } from '@dostar/client/testing/http-browser';
import type { Inbox } from './inbox.ts';

/** Where browsers sign in. */
export interface AuthEnvironment {
  urls: string[];
  inbox: Inbox;
  opaque: OpaqueClient;
}

/** A browser without any sign-in yet. */
export function openSignedOutBrowser({ urls, opaque }: AuthEnvironment): Browser {
  return new Browser({ urls, opaque });
}

/** Dependencies of the client's account modules. */
export function authOf(browser: Browser): AuthDeps & { authenticator: Authenticator } {
  // No user here has a passkey.
  return { ...browser.deps, authenticator: { create: async () => undefined, get: async () => undefined } };
}

/** The signed-in account with the account key that the password unlocked, or with a zero key that unlocks nothing. */
export async function ownerOf(browser: Browser): Promise<Owner> {
  const { account } = await browser.call(getSession);
  const accountKey = (await browser.keys.get(account)) ?? new Uint8Array(32);
  return { person: { account, token: browser.cookies.get(SESSION_COOKIE) ?? '' }, accountKey };
}

/** Resets the password by email, from a browser without keys. */
export async function resetPassword(authEnvironment: AuthEnvironment, email: string, password: string): Promise<void> {
  const recovery = createRecovery(authOf(openSignedOutBrowser(authEnvironment)));
  const listTokens = async () =>
    (await authEnvironment.inbox.listEmails(email)).flatMap(
      ({ text }) => /reset-password#([\w-]{43})/.exec(text)?.[1] ?? [],
    );
  const known = (await listTokens()).length;
  await recovery.ask(email, 'en');
  const hasCome = async (): Promise<boolean> => (await listTokens()).length > known;
  await waitFor(hasCome, { what: 'the email with the link', timeoutMs: 60_000, everyMs: 100 });
  await recovery.reset((await listTokens()).at(-1) ?? '', password);
}
