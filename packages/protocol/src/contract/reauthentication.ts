/**
 * Re-authentication before a sensitive action: for ten minutes afterwards no call answers `reauthenticate`. An account
 * with a second factor gives it after the password, as at sign-in.
 */
import { z } from 'zod';
import { Code, Locale, Opaque } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { verifyFactor, SecondStep, sendFactorCode } from './second-factors.ts';
import { PasskeyResponse, PasskeyRequest } from './passkeys.ts';

/**
 * Complete if `owes` is empty; otherwise one of its factors is still missing. A passkey is two factors in one, so it
 * leaves none.
 */
const ReauthenticationResult = Done.extend({ owes: z.array(SecondStep) });

/** `email` is for accounts without a password and a passkey. */
export const ReauthenticationMethod = z.enum(['password', 'passkey', 'email']);
export type ReauthenticationMethod = z.infer<typeof ReauthenticationMethod>;

export const listReauthenticationMethods = endpoint({
  method: 'GET',
  path: '/api/auth/prove',
  auth: 'session',
  body: z.undefined(),
  /** `owes`: the first factor was given in the last ten minutes, and one of these completes the re-authentication. */
  reply: z.object({ methods: z.array(ReauthenticationMethod), owes: z.array(SecondStep) }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Counts as an attempt at the password, like a sign-in. */
export const startPasswordReauthentication = endpoint({
  method: 'POST',
  path: '/api/auth/prove/password/start',
  auth: 'session',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque, login: z.string().max(4096) }),
  errors: ['use_google', 'rate_limited', 'unavailable'],
});

export const finishPasswordReauthentication = endpoint({
  method: 'POST',
  path: '/api/auth/prove/password/finish',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: ReauthenticationResult,
  errors: ['wrong_password', 'sign_in_failed', 'rate_limited', 'unavailable'],
});

export const sendReauthenticationCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/email/send',
  auth: 'session',
  body: z.object({ locale: Locale }),
  reply: z.object({ resendAt: z.int() }),
  errors: ['forbidden', 'too_soon', 'rate_limited', 'unavailable'],
});

export const verifyReauthenticationCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/email/give',
  auth: 'session',
  body: z.object({ code: Code }),
  reply: ReauthenticationResult,
  errors: ['forbidden', 'wrong_code', 'expired_code', 'too_many_tries', 'rate_limited', 'unavailable'],
});

/** Sends a code of the second factor by email or text, after the first. */
export const sendReauthenticationFactorCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/factor/send',
  auth: 'session',
  body: sendFactorCode.body,
  reply: sendFactorCode.reply,
  errors: [...sendFactorCode.errors, 'reauthenticate'],
});

/** The second of two factors. `reauthenticate` unless the first was shown in the last ten minutes. */
export const verifyReauthenticationFactor = endpoint({
  method: 'POST',
  path: '/api/auth/prove/factor/give',
  auth: 'session',
  body: verifyFactor.body,
  reply: Done,
  errors: [
    'reauthenticate',
    'wrong_code',
    'used_code',
    'expired_code',
    'too_many_tries',
    'not_found',
    'rate_limited',
    'unavailable',
  ],
});

export const startPasskeyReauthentication = endpoint({
  method: 'POST',
  path: '/api/auth/prove/passkey/start',
  auth: 'session',
  body: z.object({}),
  reply: PasskeyRequest,
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

export const finishPasskeyReauthentication = endpoint({
  method: 'POST',
  path: '/api/auth/prove/passkey/finish',
  auth: 'session',
  body: PasskeyResponse,
  reply: Done,
  errors: ['passkey_refused', 'rate_limited', 'unavailable'],
});
