import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * `session`: a signed-in device. `pending`: also one whose second factor is missing. `ticket`: the browser that began a
 * sign-up. `self`: a signed-in device or a ticket, acting on its own account. `anyone`: a visitor.
 */
export type Auth = 'session' | 'pending' | 'ticket' | 'self' | 'anyone';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** No ids in paths or queries: URLs are logged, and it is private who writes to whom. */
  path: `/api/${string}`;
  /** Which callers are allowed. There is no default, so an endpoint without it does not compile. */
  auth: Auth;
  body: z.ZodType;
  reply: z.ZodType;
  errors: readonly ErrorCode[];
}

/** Preserves literal types, which server and client share. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/**
 * Sent with every call: a cross-site form or image can't add it, so a cookie alone is not enough (SPEC H2).
 *
 * Its value is the account for which the tab acts. The cookie belongs to the browser: after a sign-in to another
 * account in another tab, calls of the first tab would otherwise act for that account.
 */
export const CALL_HEADER = 'x-dostar';

/** Replaces the account if the caller does not know yet to which account its cookie belongs. */
export const ANY_ACCOUNT = '1';
