/** What an account shows to whom, and who may write to it. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const Privacy = z.object({
  /** `everybody` whom the account has accepted, `contacts` who accept it too, or `nobody`. Strangers never see it. */
  lastSeen: z.enum(['everybody', 'contacts', 'nobody']),
  /** `everybody`: strangers may send requests. */
  writers: z.enum(['everybody', 'contacts']),
  /** Whether read receipts are sent, and whether typing passes in either direction; a contact may have less. */
  receipts: z.boolean(),
  typing: z.boolean(),
});
export type Privacy = z.infer<typeof Privacy>;

export const DEFAULT_PRIVACY: Privacy = { lastSeen: 'contacts', writers: 'everybody', receipts: true, typing: true };

/** The register by which every device of the account learns the settings. */
export const PRIVACY_KEY = 'privacy';

export const getPrivacy = endpoint({
  method: 'GET',
  path: '/api/privacy',
  auth: 'session',
  body: z.undefined(),
  reply: Privacy,
  errors: ['unauthenticated', 'unavailable'],
});

/** Changes the settings that are named and no others. */
export const setPrivacy = endpoint({
  method: 'POST',
  path: '/api/privacy',
  auth: 'session',
  body: Privacy.partial(),
  reply: Privacy,
  errors: ['rate_limited', 'unavailable'],
});
