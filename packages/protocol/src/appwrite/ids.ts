/** Ids of `/v1`, the Appwrite-compatible API: chosen by the client, or by the server for the word `unique()`. */
import { z } from 'zod';

export const ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;

export const AppwriteId = z
  .string()
  .regex(
    ID_FORM,
    'UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can not start with a special char',
  );

const UUID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * On `/v1` the id of a product account is its UUID. A client that could choose such an id would get that account's
 * roles.
 */
export function hasAccountIdFormat(id: string): boolean {
  return UUID_FORM.test(id);
}
