/**
 * Back to the account key after a reset by mail: the old password, the recovery key, another device (`hand-over.ts`), a
 * passkey, or a fresh start. The server hands out wraps it can't open.
 */
import { z } from 'zod';
import { Opaque, Wrap } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** How long what a reset replaced still unlocks, and what a fresh start put away can be brought back. */
export const RECOVERY_RETENTION_MS = 30 * 24 * 60 * 60_000;
/** After a reset that was not the owner's: for how long no email resets the password. */
export const RECOVERY_LOCKOUT_MS = 24 * 60 * 60_000;

export const getUnlockOptions = endpoint({
  method: 'GET',
  path: '/api/auth/lock',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    wraps: z.array(Wrap),
    /** When the current password was set; names it for `putPasswordWrap`. Null without a password. */
    passwordSince: z.int().nullable(),
    /** Until when the password before still unlocks. */
    oldPasswordUntil: z.int().nullable(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** The account key under the password that now signs in. Refused if that is another one by now, or has its wrap. */
export const putPasswordWrap = endpoint({
  method: 'POST',
  path: '/api/auth/wraps/password',
  auth: 'session',
  body: z.object({ wrap: Wrap, passwordSince: z.int() }),
  reply: Done,
  errors: ['stale_password', 'rate_limited', 'unavailable'],
});

/** Takes the place of the recovery key before. */
export const putRecoveryWrap = endpoint({
  method: 'POST',
  path: '/api/auth/wraps/recovery',
  auth: 'session',
  body: z.object({ wrap: Wrap }),
  reply: Done,
  errors: ['reauthenticate', 'rate_limited', 'unavailable'],
});

/** Against the password before the reset. Charged as an attempt, like a sign-in; it allows no sign-in. */
export const startOldPasswordCheck = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/start',
  auth: 'session',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque, login: z.string().max(4096) }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** Gives the old wrap and nothing else. */
export const openOldPasswordWrap = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/open',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: z.object({ wrap: Wrap }),
  errors: ['wrong_password', 'not_found', 'rate_limited', 'unavailable'],
});

/**
 * "It was not me": the old password is back, every session since the reset is over, and no email resets the password
 * for a day. Only from a device that was there before, with the old password.
 */
export const lockAccount = endpoint({
  method: 'POST',
  path: '/api/auth/old-password/lock',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: Done,
  errors: ['wrong_password', 'not_found', 'forbidden', 'rate_limited', 'unavailable'],
});

/** A new account key. What hung on the old one is put away for a month, not deleted. */
export const startFresh = endpoint({
  method: 'POST',
  path: '/api/auth/start-fresh',
  auth: 'session',
  body: z.object({ wrap: Wrap, passwordSince: z.int() }),
  reply: Done,
  errors: ['stale_password', 'reauthenticate', 'rate_limited', 'unavailable'],
});
