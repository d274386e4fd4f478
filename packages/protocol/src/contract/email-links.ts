/** Links in emails. The token is in the fragment of the URL, so it reaches the server only in the body of a call. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const EmailLinkToken = z.string().regex(/^[\w-]{43}$/);

/** Lifetime of a link by purpose. */
export const EMAIL_LINK_LIFETIME_MS = {
  recovery: 60 * 60_000,
  'email-old': 24 * 60 * 60_000,
  'email-new': 24 * 60 * 60_000,
} as const;
export type EmailLinkPurpose = keyof typeof EMAIL_LINK_LIFETIME_MS;
export const EmailLinkPurpose = z.enum(['recovery', 'email-old', 'email-new']);

/** Describes a link and does not use it up: email programs and scanners open links before users do. */
export const getEmailLink = endpoint({
  method: 'POST',
  path: '/api/links/look',
  auth: 'anyone',
  body: z.object({ token: EmailLinkToken }),
  reply: z.object({ purpose: EmailLinkPurpose, address: z.string() }),
  errors: ['link_used', 'link_expired', 'rate_limited', 'unavailable'],
});
