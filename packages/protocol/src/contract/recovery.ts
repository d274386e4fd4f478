/**
 * Recovery of a forgotten password.
 *
 * The link in the email replaces the sign-in password only: it ends no session and returns no key. Data that the old
 * password unlocked stays locked until one of the ways of account-unlock.ts.
 */
import { z } from 'zod';
import { Email, Locale, Opaque, OpaqueSetup } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { EmailLinkToken } from './email-links.ts';

/** Sends an email to a known address only; an unknown one is answered as by `startLogin`. */
export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/recovery/ask',
  auth: 'anyone',
  body: z.object({ email: Email, locale: Locale }),
  reply: Done,
  errors: ['email_not_found', 'rate_limited', 'unavailable'],
});

export const startPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/recovery/start',
  auth: 'anyone',
  body: z.object({ token: EmailLinkToken, request: Opaque }),
  reply: z.object({ response: Opaque, setup: OpaqueSetup.optional() }),
  errors: ['link_used', 'link_expired', 'rate_limited', 'unavailable'],
});

/** Uses the link up. The new password signs in like any other, second factor and all. */
export const finishPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/recovery/finish',
  auth: 'anyone',
  body: z.object({ token: EmailLinkToken, record: Opaque, setup: OpaqueSetup.optional() }),
  reply: z.object({ email: Email }),
  errors: ['link_used', 'link_expired', 'rate_limited', 'unavailable'],
});
