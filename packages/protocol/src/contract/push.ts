/**
 * Pushes for closed tabs: a browser's push subscription, stored per device, and the payload.
 *
 * A push names no user and contains no text (SPEC N3): the device finds the chat by a tag that only it and the server
 * can compute, and the text in its own database.
 */
import { z } from 'zod';
import { Seq } from '../mailbox.ts';
import { Locale } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** An uncompressed point of P-256 (RFC 8291). */
const PublicKey = z.string().regex(/^B[\w-]{86}$/);

/** Returns the `applicationServerKey`; `null` if the operator has switched push off. */
export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ key: PublicKey.nullable() }),
  errors: ['unauthenticated', 'rate_limited'],
});

/** A random key that the device makes with each subscription and stores for its service worker. */
const TagKey = z.string().regex(/^[\w-]{43}$/);

/** The seven public settings of a Firebase project, under the names that Firebase uses. */
export const FirebaseSettings = z.object({
  apiKey: z.string().min(1),
  authDomain: z.string().min(1),
  projectId: z.string().min(1),
  storageBucket: z.string().min(1),
  messagingSenderId: z.string().min(1),
  appId: z.string().min(1),
  measurementId: z.string().min(1),
});
export type FirebaseSettings = z.infer<typeof FirebaseSettings>;

/** Returns the Firebase settings, which a page needs at its start; `null` if the operator has set none. */
export const getFirebaseSettings = endpoint({
  method: 'GET',
  path: '/api/push/cloud',
  auth: 'anyone',
  body: z.undefined(),
  reply: z.object({ settings: FirebaseSettings.nullable() }),
  errors: ['rate_limited'],
});

/**
 * Stores a Firebase token in place of a subscription, for a browser without push of its own. `not_found` if the operator
 * has no Firebase account.
 */
export const putPushToken = endpoint({
  method: 'PUT',
  path: '/api/push/token',
  auth: 'session',
  body: z.object({ token: z.string().min(1).max(512), tagKey: TagKey, locale: Locale }),
  reply: Done,
  errors: ['unauthenticated', 'not_found', 'rate_limited', 'unavailable'],
});

/**
 * Stores the calling device's push subscription, in place of the one it had. Sent again after seven days and whenever the
 * browser changes it. A URL of an unknown push service is answered with `invalid_request`.
 */
export const putPushTarget = endpoint({
  method: 'PUT',
  path: '/api/push/target',
  auth: 'session',
  body: z.object({
    endpoint: z.url({ protocol: /^https$/ }).max(1024),
    keys: z.object({ p256dh: PublicKey, auth: z.string().regex(/^[\w-]{22}$/) }),
    tagKey: TagKey,
    /** The language of the text that a browser shows if our service worker cannot. */
    locale: Locale,
  }),
  reply: Done,
  errors: ['unauthenticated', 'invalid_request', 'not_found', 'rate_limited', 'unavailable'],
});

/** Deletes the calling device's target. Signing out deletes it too. */
export const removePushTarget = endpoint({
  method: 'DELETE',
  path: '/api/push/target',
  auth: 'session',
  body: z.undefined(),
  reply: Done,
  errors: ['unauthenticated', 'rate_limited', 'unavailable'],
});

/** Sends a push to the calling device. `not_found` if it has no subscription, or one that its push service no longer knows. */
export const testPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  auth: 'session',
  body: z.undefined(),
  reply: Done,
  errors: ['unauthenticated', 'not_found', 'rate_limited', 'unavailable'],
});

/**
 * The payload for the service worker. The push also has members of a declarative push (`web_push: 8030`), which a
 * browser that supports it shows by itself; they say only "New message".
 */
export const PushPayload = z.object({
  v: z.literal(1),
  kind: z.enum(['message', 'test']),
  /** `message`: the tag of the chat (SPEC N3). `test`: any value. */
  id: z.string(),
  /** The number of unread messages in all chats, for the badge. */
  n: z.int().nonnegative(),
  /**
   * The newest entry of the chat that the push is about. A push whose `id` and `at` were shown already is a repeat
   * after a worker crashed, and must not alert again (SPEC N4).
   */
  at: Seq,
});
export type PushPayload = z.infer<typeof PushPayload>;
