/** Privacy settings of an account: the server acts on them, so it can read them. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const Privacy = z.object({
  /**
   * `everybody`: users whom the account has accepted. `contacts`: those of them who accept the account too. Never
   * strangers.
   */
  lastSeen: z.enum(['everybody', 'contacts', 'nobody']),
  /** Who may send messages. `contacts`: the server refuses requests of strangers. */
  writers: z.enum(['everybody', 'contacts']),
  /** Whether the account sends read receipts, and sends and sees typing. Preferences of a contact can turn off more. */
  receipts: z.boolean(),
  typing: z.boolean(),
});
export type Privacy = z.infer<typeof Privacy>;

export const DEFAULT_PRIVACY: Privacy = { lastSeen: 'contacts', writers: 'everybody', receipts: true, typing: true };

/** The register that sends these settings to all devices of the account. */
export const PRIVACY_KEY = 'privacy';

export const getPrivacy = endpoint({
  method: 'GET',
  path: '/api/privacy',
  auth: 'session',
  body: z.undefined(),
  reply: Privacy,
  errors: ['unauthenticated', 'unavailable'],
});

/** Settings that the request leaves out keep their values. */
export const setPrivacy = endpoint({
  method: 'POST',
  path: '/api/privacy',
  auth: 'session',
  body: Privacy.partial(),
  reply: Privacy,
  errors: ['rate_limited', 'unavailable'],
});
