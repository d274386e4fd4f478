/** Sign-in with a password that never leaves the browser (OPAQUE), and the wrap that the password unlocks. */
import { z } from 'zod';
import { Email, Opaque, OpaqueSetup, Wrap } from './accounts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { SignInResult } from './second-factors.ts';
import { putVault, VaultKind } from './vault.ts';

/** Marks a known browser, so that an attacker's attempts do not lock it out. */
export const KNOWN_BROWSER_COOKIE = '__Host-known';

/** The operator's rules for a new password. */
export const getPasswordRules = endpoint({
  method: 'GET',
  path: '/api/auth/password-rules',
  auth: 'anyone',
  body: z.undefined(),
  reply: z.object({ minimum: z.int().positive() }),
  errors: [],
});

/** Counts as an attempt; a `finishLogin` that succeeds takes it back. */
export const startLogin = endpoint({
  method: 'POST',
  path: '/api/auth/login/start',
  auth: 'anyone',
  body: z.object({ email: Email, request: Opaque }),
  reply: z.object({ response: Opaque, login: z.string().max(4096) }),
  errors: ['email_not_found', 'use_google', 'sign_in_failed', 'rate_limited', 'unavailable'],
});

export const finishLogin = endpoint({
  method: 'POST',
  path: '/api/auth/login/finish',
  auth: 'anyone',
  body: z.object({ login: z.string().max(4096), finish: Opaque }),
  reply: SignInResult,
  errors: ['wrong_password', 'sign_in_failed', 'account_disabled', 'rate_limited', 'unavailable'],
});

export const listWraps = endpoint({
  method: 'GET',
  path: '/api/auth/wraps',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ wraps: z.array(Wrap) }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Needs re-authentication by the current password in this session, if the account has one; one change uses it up (SPEC H9). */
export const startPasswordChange = endpoint({
  method: 'POST',
  path: '/api/auth/password/start',
  auth: 'session',
  body: z.object({ request: Opaque }),
  reply: z.object({ response: Opaque, setup: OpaqueSetup.optional() }),
  errors: ['reauthenticate', 'rate_limited', 'unavailable'],
});

/**
 * Record and wrap are replaced together: one without the other would lock the user out of their messages.
 *
 * With a `renewal` the wrap is of a new account key: every other wrap goes, the vaults are replaced by what is sealed
 * under it, and the other devices are signed out.
 */
export const finishPasswordChange = endpoint({
  method: 'POST',
  path: '/api/auth/password/finish',
  auth: 'session',
  body: z.object({
    record: Opaque,
    setup: OpaqueSetup.optional(),
    wrap: Wrap,
    endOthers: z.boolean(),
    renewal: z.object({ vaults: z.array(putVault.body).max(VaultKind.options.length) }).optional(),
  }),
  reply: Done,
  errors: ['reauthenticate', 'stale_revision', 'rate_limited', 'unavailable'],
});
