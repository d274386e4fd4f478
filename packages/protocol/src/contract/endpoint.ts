import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * `session`: a signed-in device. `pending`: also one whose second factor is missing. `ticket`: the browser that began a
 * sign-up. `self`: a signed-in device or a ticket, acting on its own account. `anyone`: a visitor.
 */
export type Auth = 'session' | 'pending' | 'ticket' | 'self' | 'anyone';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** No ids in paths or queries: addresses end up in logs, and who writes to whom is private. */
  path: `/api/${string}`;
  /** Who may call it. There is no default: a contract that does not say so does not compile. */
  auth: Auth;
  body: z.ZodType;
  reply: z.ZodType;
  errors: readonly ErrorCode[];
}

/** Keeps the types of one contract narrow, so that server and client share them. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/**
 * Sent with every call: a cross-site form or image can't add it, so a cookie alone is not enough (SPEC H2).
 *
 * It names the account for which the caller acts. The cookie is the browser's, not the tab's: after a sign-in as
 * another account in another tab, a call of the first would otherwise act for that one.
 */
export const CALL_HEADER = 'x-dostar';

/** Instead of an account, from a caller that does not know yet whose cookie it carries. */
export const ANY_ACCOUNT = '1';
