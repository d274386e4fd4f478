/** Proving once more who one is, before something serious: after it, for ten minutes, nothing answers `reauthenticate`. */
import { z } from 'zod';
import { Code, Locale } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { Answered, Asked } from './passkeys.ts';

const Opaque = z.base64url().max(4096);

/** `email` is for those who have neither of the others. */
export const ProofMethod = z.enum(['password', 'passkey', 'email']);
export type ProofMethod = z.infer<typeof ProofMethod>;

export const listProofs = endpoint({
  method: 'GET',
  path: '/api/auth/prove',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ methods: z.array(ProofMethod) }),
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
  reply: Done,
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
  reply: Done,
  errors: ['forbidden', 'wrong_code', 'expired_code', 'too_many_tries', 'rate_limited', 'unavailable'],
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
