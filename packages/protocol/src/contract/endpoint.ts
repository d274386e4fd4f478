import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * `session`: a signed-in device. `ticket`: the browser that began a sign-up. `self`: either, acting on the account it
 * proves to be. `anyone`: a visitor.
 */
export type Auth = 'session' | 'ticket' | 'self' | 'anyone';

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

/** Sent with every call of ours: a cross-site form or image can't add it, so a cookie alone moves nothing (SPEC H2). */
export const CALL_HEADER = 'x-dostar';
