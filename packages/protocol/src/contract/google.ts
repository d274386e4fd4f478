/**
 * Sign-in with Google, or another OpenID provider of the operator.
 *
 * `startGoogle` sends the browser to the provider, which returns it to `GOOGLE_RETURN_PATH`; the server redirects it to
 * one of the two pages. A known user is signed in by then. A new one has a ticket as after a verified code:
 * `startGooglePassword` and `recordSignUp` register the password, and the usual steps of completion follow. If the
 * address has an account already, its owner signs in and calls `linkGoogle`.
 */
import { z } from 'zod';
import { AccountId } from '../ids.ts';
import { Email, Locale, Opaque } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { SignUpInvite } from './invite-tokens.ts';

/** Binds the round trip to the provider to one browser. */
export const GOOGLE_COOKIE = '__Host-google';
export const GOOGLE_RETURN_PATH = '/api/auth/google/return';

/** Says whether this server has a provider. */
export const getGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google',
  auth: 'anyone',
  body: z.undefined(),
  reply: z.object({ isOn: z.boolean() }),
  errors: [],
});

/** A path on our own site. */
const LocalPath = z
  .string()
  .max(300)
  .regex(/^\/(?![/\\])/);

export const startGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/google/start',
  auth: 'anyone',
  body: z.object({
    locale: Locale,
    next: LocalPath.optional(),
    /** For a sign-up where the operator asks for an invite. */
    invite: SignUpInvite.optional(),
  }),
  reply: z.object({ url: z.url() }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** Returns the sign-up that a new user's return from the provider has begun. */
export const getGoogleSignUp = endpoint({
  method: 'GET',
  path: '/api/auth/google/sign-up',
  auth: 'ticket',
  body: z.undefined(),
  reply: z.object({ account: AccountId, email: Email, isTaken: z.boolean() }),
  errors: ['no_sign_up'],
});

export const startGooglePassword = endpoint({
  method: 'POST',
  path: '/api/auth/google/password',
  auth: 'ticket',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque }),
  errors: ['no_sign_up'],
});

/**
 * Lets the Google account sign in. Needs both: its ticket, and a re-authentication of the account that has its address.
 */
export const linkGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/google/link',
  auth: 'session',
  body: z.object({}),
  reply: Done,
  errors: ['unauthenticated', 'no_sign_up', 'forbidden', 'reauthenticate', 'unavailable'],
});
