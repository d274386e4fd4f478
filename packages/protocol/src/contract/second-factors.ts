/**
 * Second factors, required after the password or Google.
 *
 * Until one is given, the session may only list them, give one, or end (SPEC H6).
 */
import { z } from 'zod';
import { AccountId, DeviceId } from '../ids.ts';
import { Code, Locale } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

export const FactorKind = z.enum(['totp', 'email', 'phone']);
export type FactorKind = z.infer<typeof FactorKind>;

/** Factors that complete the second step. A recovery code replaces a factor that is unavailable. */
export const SecondStep = z.enum([...FactorKind.options, 'recoverycode']);
export type SecondStep = z.infer<typeof SecondStep>;

/** How long a session may wait for its second factor. */
export const SECOND_FACTOR_TIMEOUT_MS = 15 * 60_000;

/** Signed in if `owes` is empty; otherwise one of these factors is still missing. */
export const SignInResult = z.object({ account: AccountId, device: DeviceId, owes: z.array(SecondStep) });
export type SignInResult = z.infer<typeof SignInResult>;

const RECOVERY_CODES = 10;
/** Ten unambiguous characters in two groups. */
const RecoveryCode = z.string().regex(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
export const RecoveryCodes = z.array(RecoveryCode).length(RECOVERY_CODES);

/** As typed by the user: spaces, dashes and case are ignored. */
const TypedCode = z.string().trim().min(6).max(40);

/** With the country code, as in E.164. */
export const PhoneNumber = z
  .string()
  .transform((typed) => typed.replaceAll(/[\s()-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/));

export const listFactors = endpoint({
  method: 'GET',
  path: '/api/auth/factors',
  auth: 'pending',
  body: z.undefined(),
  reply: z.object({
    factors: z.array(
      z.object({
        kind: FactorKind,
        createdAt: z.int(),
        lastUsedAt: z.int().nullable(),
        /** Identifies the factor to its owner: the last digits of the number, or the address with its middle hidden. */
        hint: z.string(),
      }),
    ),
    /** Number of unused codes; null if the account never had any. */
    recoveryCodes: z.int().nonnegative().nullable(),
    /** Kinds of factors that can be set up on this server. */
    offered: z.array(FactorKind),
    /** The factors of which this session has to give one; empty if none is missing. */
    owes: z.array(SecondStep),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Sends a code for the second step by email or text. */
export const sendFactorCode = endpoint({
  method: 'POST',
  path: '/api/auth/factors/send',
  auth: 'pending',
  body: z.object({ kind: FactorKind.exclude(['totp']), locale: Locale }),
  reply: z.object({ resendAt: z.int() }),
  errors: ['not_found', 'not_offered', 'too_soon', 'rate_limited', 'unavailable'],
});

/** The second step. Afterwards the session may do everything. */
export const verifyFactor = endpoint({
  method: 'POST',
  path: '/api/auth/factors/give',
  auth: 'pending',
  body: z.object({ kind: SecondStep, code: TypedCode }),
  reply: z.object({ account: AccountId, device: DeviceId }),
  errors: ['wrong_code', 'used_code', 'expired_code', 'too_many_tries', 'rate_limited', 'forbidden', 'unavailable'],
});

/** Returns a secret for an authenticator app; it counts after a code of it was given to `confirmFactor`. */
export const startTotp = endpoint({
  method: 'POST',
  path: '/api/auth/factors/totp/start',
  auth: 'session',
  body: z.object({}),
  /** `uri` is for the QR code, `secret` for typing. */
  reply: z.object({ secret: z.string(), uri: z.string() }),
  errors: ['factor_exists', 'reauthenticate', 'rate_limited', 'unavailable'],
});

/** Sends a code that confirms the new factor, by email or text. */
export const startCodeFactor = endpoint({
  method: 'POST',
  path: '/api/auth/factors/code/start',
  auth: 'session',
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('email'), locale: Locale }),
    z.object({ kind: z.literal('phone'), locale: Locale, number: PhoneNumber }),
  ]),
  reply: z.object({ resendAt: z.int() }),
  errors: ['factor_exists', 'not_offered', 'reauthenticate', 'too_soon', 'rate_limited', 'unavailable'],
});

/** Turns a factor on. The first one returns the recovery codes, which are never shown again. */
export const confirmFactor = endpoint({
  method: 'POST',
  path: '/api/auth/factors/confirm',
  auth: 'session',
  body: z.object({ kind: FactorKind, code: Code }),
  reply: z.object({ recoveryCodes: RecoveryCodes.nullable() }),
  errors: [
    'not_found',
    'wrong_code',
    'expired_code',
    'too_many_tries',
    'reauthenticate',
    'rate_limited',
    'unavailable',
  ],
});

/** Removes a factor; removing the last one deletes the recovery codes. */
export const removeFactor = endpoint({
  method: 'POST',
  path: '/api/auth/factors/remove',
  auth: 'session',
  body: z.object({ kind: FactorKind }),
  reply: Done,
  errors: ['forbidden', 'reauthenticate', 'rate_limited', 'unavailable'],
});

/** Returns new recovery codes; the old ones become invalid. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/auth/factors/recovery-codes',
  auth: 'session',
  body: z.object({}),
  reply: z.object({ recoveryCodes: RecoveryCodes }),
  errors: ['forbidden', 'not_found', 'reauthenticate', 'rate_limited', 'unavailable'],
});
