/** The account's email address, and its change, which is confirmed at both addresses in any order. */
import { z } from 'zod';
import { Email, Locale } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { EmailLinkToken } from './email-links.ts';

export const getEmail = endpoint({
  method: 'GET',
  path: '/api/auth/email',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    email: Email.nullable(),
    change: z
      .object({ address: Email, isOldConfirmed: z.boolean(), isNewConfirmed: z.boolean(), expiresAt: z.int() })
      .nullable(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Sends a link to both addresses. A new request replaces a pending change. */
export const startEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email/change',
  auth: 'session',
  body: z.object({ email: Email, locale: Locale }),
  reply: Done,
  errors: ['forbidden', 'email_taken', 'reauthenticate', 'rate_limited', 'unavailable'],
});

export const cancelEmailChange = endpoint({
  method: 'POST',
  path: '/api/auth/email/cancel',
  auth: 'session',
  body: z.object({}),
  reply: Done,
  errors: ['unauthenticated', 'unavailable'],
});

/** Confirms one of the two addresses. `half`: the other has yet to confirm. */
export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/links/confirm',
  auth: 'anyone',
  body: z.object({ token: EmailLinkToken }),
  reply: z.object({ result: z.enum(['half', 'changed']), address: Email }),
  errors: ['link_used', 'link_expired', 'email_taken', 'rate_limited', 'unavailable'],
});
