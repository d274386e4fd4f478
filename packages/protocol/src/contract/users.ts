/** The user document: data about an account for its owner only. */
import { z } from 'zod';
import { AccountId } from '../ids.ts';
import { Email, Locale, Username } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

export const UserDocument = z.object({
  $id: AccountId,
  email: Email.nullable(),
  username: Username,
  lastOnline: z.iso.datetime().nullable(),
  FCMToken: z.array(z.string().max(512)).max(20),
  publicKey: z.string().max(200).nullable(),
  isVerified: z.boolean(),
});
export type UserDocument = z.infer<typeof UserDocument>;

/**
 * Fields that the owner may set. Other calls change the rest; `publicKey` follows from the identity alone (SPEC K6).
 */
export const UserChanges = z
  .object({
    FCMToken: UserDocument.shape.FCMToken,
    /** The language of emails. */
    locale: Locale,
  })
  .partial();

export const getUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  auth: 'session',
  body: z.undefined(),
  reply: UserDocument,
  errors: ['unauthenticated', 'not_found', 'unavailable'],
});

/** Records that the user is online. Sent at every start of the app. */
export const storeUser = endpoint({
  method: 'POST',
  path: '/api/auth/store-user',
  auth: 'self',
  body: z.object({ userId: AccountId }),
  reply: Done,
  errors: ['forbidden', 'unavailable'],
});

/** Creates the document the first time; that completes the sign-up. */
export const updateUser = endpoint({
  method: 'POST',
  path: '/api/update-user',
  auth: 'self',
  body: z.object({ documentId: AccountId, data: UserChanges }),
  reply: UserDocument,
  errors: ['forbidden', 'not_verified', 'no_sign_up', 'invite_gone', 'unavailable'],
});
