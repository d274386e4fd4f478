/** Parameters of several calls of `/v1`. */
import { z } from 'zod';
import { idIn } from './http.ts';
import type { AppwriteCall } from './http.ts';

const PASSWORD_RULE = 'Password must be between 4 and 256 characters long.';

export const AppwritePassword = z.string().min(4, PASSWORD_RULE).max(256, PASSWORD_RULE);

export const AppwriteEmail = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email('Value must be a valid email address'));

/** The secret of an email or a redirect, and the account that it belongs to. */
export const TokenExchange = z.object({ userId: z.string().min(1).max(36), secret: z.string().min(1).max(256) });

/** The rate limit key of such a call. With the address in it, other callers can't use up a person's attempts. */
export function tokenAttemptKey({ body, address }: AppwriteCall): string {
  return `${address} ${idIn(body, 'userId')}`;
}
