/**
 * Re-authentication before something serious: after it, for ten minutes, nothing answers `reauthenticate`. An account
 * with a second factor owes it after the password, as at sign-in.
 */
import { z } from 'zod';
import { Code, Locale } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { giveFactor, SecondStep, sendFactorCode } from './factors.ts';
import { Answered, Asked } from './passkeys.ts';

const Opaque = z.base64url().max(4096);

/** Proven, or `owes` one of these: any one is enough. A passkey owes nothing: it is two factors in one. */
const Shown = Done.extend({ owes: z.array(SecondStep) });

/** `email` is for those who have neither of the others. */
export const ProofMethod = z.enum(['password', 'passkey', 'email']);
export type ProofMethod = z.infer<typeof ProofMethod>;

export const listProofs = endpoint({
  method: 'GET',
  path: '/api/auth/prove',
  auth: 'session',
  body: z.undefined(),
  /** `owes`: the first factor has just been shown, and one of these completes the proof. */
  reply: z.object({ methods: z.array(ProofMethod), owes: z.array(SecondStep) }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Charged as a try of the password, like a sign-in. */
export const startPasswordProof = endpoint({
  method: 'POST',
  path: '/api/auth/prove/password/start',
  auth: 'session',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque, login: z.string().max(4096) }),
  errors: ['use_google', 'rate_limited', 'unavailable'],
});

export const finishPasswordProof = endpoint({
  method: 'POST',
  path: '/api/auth/prove/password/finish',
  auth: 'session',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: Shown,
  errors: ['wrong_password', 'sign_in_failed', 'rate_limited', 'unavailable'],
});

export const sendProofCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/email/send',
  auth: 'session',
  body: z.object({ locale: Locale }),
  reply: z.object({ resendAt: z.int() }),
  errors: ['forbidden', 'too_soon', 'rate_limited', 'unavailable'],
});

export const giveProofCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/email/give',
  auth: 'session',
  body: z.object({ code: Code }),
  reply: Shown,
  errors: ['forbidden', 'wrong_code', 'expired_code', 'too_many_tries', 'rate_limited', 'unavailable'],
});

/** Mails or texts a code of the second factor, after the first. */
export const sendProofFactorCode = endpoint({
  method: 'POST',
  path: '/api/auth/prove/factor/send',
  auth: 'session',
  body: sendFactorCode.body,
  reply: sendFactorCode.reply,
  errors: [...sendFactorCode.errors, 'reauthenticate'],
});

/** The second of two factors. `reauthenticate` unless the first was shown in the last ten minutes. */
export const giveProofFactor = endpoint({
  method: 'POST',
  path: '/api/auth/prove/factor/give',
  auth: 'session',
  body: giveFactor.body,
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

export const startPasskeyProof = endpoint({
  method: 'POST',
  path: '/api/auth/prove/passkey/start',
  auth: 'session',
  body: z.object({}),
  reply: Asked,
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

export const finishPasskeyProof = endpoint({
  method: 'POST',
  path: '/api/auth/prove/passkey/finish',
  auth: 'session',
  body: Answered,
  reply: Done,
  errors: ['passkey_refused', 'rate_limited', 'unavailable'],
});
