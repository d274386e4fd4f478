/**
 * Sign-up, and the removal of an account.
 *
 * Sign-up: `startSignUp` and `recordSignUp` leave a pending row behind a cookie of this browser, `sendCode` and
 * `verifyCode` verify the address, then the five steps of completion; each may be repeated, and until the last one the
 * account can be deleted without a trace.
 */
import { z } from 'zod';
import { AccountId, DeviceId } from '../ids.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { SignUpInvite } from './invite-tokens.ts';

/** Binds a sign-up to the browser that began it. */
export const TICKET_COOKIE = '__Host-sign-up';

export const MIN_PASSWORD_LENGTH = 4;
export const CODE_LENGTH = 6;
export const CODE_LIFETIME_MS = 10 * 60_000;
export const MAX_CODE_ATTEMPTS = 5;
export const RESEND_AFTER_MS = 60_000;
export const SIGN_UP_LIFETIME_MS = 15 * 60_000;

export const Email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform((address) => address.toLowerCase());

export const Username = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9._]{2,31}$/);

export const Locale = z.enum(['en', 'kz', 'ru']);
export type Locale = z.infer<typeof Locale>;

export const Code = z.string().regex(/^\d{6}$/);

/** Messages of the OPAQUE protocol in base64url, made by the library at either end. */
export const Opaque = z.base64url().max(4096);

/**
 * Identifies the server's OPAQUE setup of a registration. The browser echoes it, since another process may finish the
 * registration.
 */
export const OpaqueSetup = z.string().max(64);

/** The credential id that the authenticator chose. */
export const CredentialId = z.base64url().min(16).max(1400);

/** The account key, encrypted with a key derived from the password. The server stores it and can't open it. */
export const Wrap = z.object({
  method: z.enum(['password', 'recovery', 'passkey']),
  /** How the wrapping key was derived. The client refuses parameters weaker than its own. */
  params: z.string().max(200),
  blob: z.base64url().max(1024),
  /** Set for `passkey`: each passkey has its own wrap. */
  credential: CredentialId.optional(),
});
export type Wrap = z.infer<typeof Wrap>;

/** Who may make an account: everyone, people with an invite, or only people with an invite of the operator. */
export const SignUpMode = z.enum(['open', 'invite', 'closed']);
export type SignUpMode = z.infer<typeof SignUpMode>;

/** Tells the page what a sign-up needs. `invite`: the one that was sent, if it lets a person in. */
export const getSignUpPolicy = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/policy',
  auth: 'anyone',
  body: z.object({ invite: SignUpInvite.optional() }),
  reply: z.object({
    mode: SignUpMode,
    /** The domains of email addresses that are accepted; empty for all. */
    domains: z.array(z.string()),
    /** The inviter's username; null for an invite of the operator. */
    invite: z.object({ inviter: Username.nullable() }).nullable(),
  }),
  errors: ['rate_limited', 'unavailable'],
});

export const startSignUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/start',
  auth: 'anyone',
  body: z.object({ email: Email, locale: Locale, request: Opaque, invite: SignUpInvite.optional() }),
  reply: z.object({ account: AccountId, response: Opaque }),
  errors: [
    'sign_ups_closed',
    'invite_required',
    'invite_gone',
    'email_not_allowed',
    'email_taken',
    'rate_limited',
    'unavailable',
  ],
});

export const recordSignUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/record',
  auth: 'ticket',
  body: z.object({ record: Opaque, wrap: Wrap }),
  reply: Done,
  errors: ['no_sign_up'],
});

/** Returns the sign-up that this browser has begun, for a page that was reloaded. */
export const getSignUp = endpoint({
  method: 'GET',
  path: '/api/auth/sign-up',
  auth: 'ticket',
  body: z.undefined(),
  reply: z.object({ account: AccountId, email: Email, isVerified: z.boolean(), resendAt: z.int() }),
  errors: ['no_sign_up'],
});

export const sendCode = endpoint({
  method: 'POST',
  path: '/api/send-code',
  auth: 'ticket',
  body: z.object({ email: Email }),
  reply: z.object({ success: z.literal(true), resendAt: z.int() }),
  errors: ['no_sign_up', 'too_soon', 'rate_limited'],
});

export const verifyCode = endpoint({
  method: 'POST',
  path: '/api/verify-code',
  auth: 'ticket',
  body: z.object({ email: Email, code: Code }),
  reply: Done,
  errors: ['no_sign_up', 'wrong_code', 'expired_code', 'too_many_tries', 'rate_limited'],
});

/** First step of completion. Needs a verified code. Idempotent. */
export const createAccount = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/complete',
  auth: 'ticket',
  body: z.object({}),
  reply: z.object({ userId: AccountId, username: Username }),
  errors: ['no_sign_up', 'not_verified', 'email_taken', 'unavailable'],
});

/**
 * Third step: starts the account's first session, for the browser that verified the address. Needs no password: a phone
 * may have discarded the tab that knew it while the user was reading the email.
 */
export const startFirstSession = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/enter',
  auth: 'ticket',
  body: z.object({}),
  reply: z.object({ account: AccountId, device: DeviceId }),
  errors: ['no_sign_up', 'not_verified', 'unavailable'],
});

const UserReference = z.object({ userId: AccountId });

export const verifyUser = endpoint({
  method: 'POST',
  path: '/api/verify-user',
  auth: 'self',
  body: UserReference,
  reply: Done,
  errors: ['forbidden', 'unavailable'],
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/delete-user',
  auth: 'self',
  body: UserReference,
  reply: Done,
  errors: ['forbidden', 'reauthenticate', 'unavailable'],
});
