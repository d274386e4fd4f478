/**
 * Ways to recover the account key after a password reset by email: the old password, the recovery key, another device
 * (device-transfer.ts), a passkey, or a fresh start. The server returns wraps that it can't open.
 */
import { z } from 'zod';
import { Opaque, Wrap } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** How long a replaced password still unlocks, and how long data archived by a fresh start can be restored. */
export const RECOVERY_RETENTION_MS = 30 * 24 * 60 * 60_000;
/** How long email cannot reset the password after the owner reported a reset by someone else. */
export const RECOVERY_LOCKOUT_MS = 24 * 60 * 60_000;

export const getUnlockOptions = endpoint({
  method: 'GET',
  path: '/api/auth/lock',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    wraps: z.array(Wrap),
    /** When the current password was set, which identifies it for `putPasswordWrap`. Null without a password. */
    passwordSince: z.int().nullable(),
    /** Until when the previous password still unlocks. */
    oldPasswordUntil: z.int().nullable(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** The account key, wrapped by the current password. Refused if the password was changed since, or has a wrap already. */
export const putPasswordWrap = endpoint({
  method: 'POST',
  path: '/api/auth/wraps/password',
  auth: 'session',
  body: z.object({ wrap: Wrap, passwordSince: z.int() }),
  reply: Done,
  errors: ['stale_password', 'rate_limited', 'unavailable'],
});

/** Replaces the recovery key. */
export const putRecoveryWrap = endpoint({
  method: 'POST',
  path: '/api/auth/wraps/recovery',
  auth: 'session',
  body: z.object({ wrap: Wrap }),
  reply: Done,
  errors: ['reauthenticate', 'rate_limited', 'unavailable'],
});

/** Checks the password from before the reset. Counts as an attempt, like a sign-in; it allows no sign-in. */
export const startOldPasswordCheck = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/start',
  auth: 'session',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque, login: z.string().max(4096) }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** Returns the wrap of the old password and nothing else. */
export const openOldPasswordWrap = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/open',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: z.object({ wrap: Wrap }),
  errors: ['wrong_password', 'not_found', 'rate_limited', 'unavailable'],
});

/**
 * "It was not me": restores the old password, ends every session since the reset, and refuses resets by email for a day.
 * Only for a device from before the reset, with the old password.
 */
export const lockAccount = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/lock',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: Done,
  errors: ['wrong_password', 'not_found', 'forbidden', 'rate_limited', 'unavailable'],
});

/** A new account key. What the old one opened is archived for a month, not deleted. */
export const startFresh = endpoint({
  method: 'POST',
  path: '/api/auth/start-fresh',
  auth: 'session',
  body: z.object({ wrap: Wrap, passwordSince: z.int() }),
  reply: Done,
  errors: ['stale_password', 'reauthenticate', 'rate_limited', 'unavailable'],
});
