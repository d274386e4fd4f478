/**
 * Passkeys: sign-in, and unlocking the account if the authenticator can derive a key (PRF). The derived key never
 * leaves the browser: no schema below has a field for it.
 */
import { z } from 'zod';
import { CredentialId, Wrap } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { SignInResult } from './second-factors.ts';

export const MAX_PASSKEYS = 20;
export const PasskeyName = z.string().trim().min(1).max(60);

/** Encrypted by the server: the challenge, its purpose and its expiry. */
const Challenge = z.string().max(1000);
const Bytes = z.base64url().max(8192);
const CredentialDescriptor = z.object({
  id: CredentialId,
  type: z.literal('public-key'),
  transports: z.array(z.string().max(20)).max(10).optional(),
});
const UserVerification = z.literal('required');

/** WebAuthn options to create a passkey. */
export const CreationOptions = z.object({
  challenge: Bytes,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: Bytes, name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(CredentialDescriptor),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: UserVerification }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.infer<typeof CreationOptions>;

/** WebAuthn options for a signature. Without `allowCredentials` the user chooses among all passkeys for this site. */
export const RequestOptions = z.object({
  challenge: Bytes,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: UserVerification,
  allowCredentials: z.array(CredentialDescriptor).optional(),
});
export type RequestOptions = z.infer<typeof RequestOptions>;

export const CreationResponse = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type CreationResponse = z.infer<typeof CreationResponse>;

export const AssertionResponse = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    authenticatorData: Bytes,
    clientDataJSON: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
});
export type AssertionResponse = z.infer<typeof AssertionResponse>;

export const PasskeyRequest = z.object({ options: RequestOptions, challenge: Challenge });
export const PasskeyResponse = z.object({ response: AssertionResponse, challenge: Challenge });

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/auth/passkeys',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    passkeys: z.array(
      z.object({
        id: CredentialId,
        name: PasskeyName,
        createdAt: z.int(),
        lastUsedAt: z.int().nullable(),
        /** Whether it also unlocks the account, or only signs in. */
        unlocks: z.boolean(),
      }),
    ),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/start',
  auth: 'session',
  body: z.object({}),
  reply: z.object({ options: CreationOptions, challenge: Challenge }),
  errors: ['reauthenticate', 'too_many_passkeys', 'rate_limited', 'unavailable'],
});

/** Registers the passkey, with the account key wrapped by it if it can derive a key. */
export const finishPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/finish',
  auth: 'session',
  body: z.object({ challenge: Challenge, response: CreationResponse, name: PasskeyName, wrap: Wrap.optional() }),
  reply: Done,
  errors: ['reauthenticate', 'passkey_refused', 'too_many_passkeys', 'rate_limited', 'unavailable'],
});

export const renamePasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/rename',
  auth: 'session',
  body: z.object({ id: CredentialId, name: PasskeyName }),
  reply: Done,
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** Removes the passkey and its wrap. Refused if nothing else would open the account. */
export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/remove',
  auth: 'session',
  body: z.object({ id: CredentialId }),
  reply: Done,
  errors: ['forbidden', 'reauthenticate', 'last_key', 'rate_limited', 'unavailable'],
});

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/login/passkey/start',
  auth: 'anyone',
  body: z.object({}),
  reply: PasskeyRequest,
  errors: ['rate_limited', 'unavailable'],
});

/** Signs in. A passkey is two factors in one, so no second factor follows. */
export const finishPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/login/passkey/finish',
  auth: 'anyone',
  body: PasskeyResponse,
  reply: SignInResult,
  errors: ['passkey_refused', 'account_disabled', 'rate_limited', 'unavailable'],
});
