/** What several calls of `/v1` take alike. */
import { z } from 'zod';

const PASSWORD_RULE = 'Password must be between 4 and 256 characters long.';

export const AppwritePassword = z.string().min(4, PASSWORD_RULE).max(256, PASSWORD_RULE);

export const AppwriteEmail = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email('Value must be a valid email address'));
