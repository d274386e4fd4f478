/** Permissions as callers of `/v1` give them. */
import { expandPermissions, findForeignRole, InvalidPermission } from '@dostar/protocol/appwrite/permissions';
import { AppwriteError } from './errors.ts';
import type { AppwriteCaller } from './http.ts';

export function readPermissions(texts: string[]): string[] {
  try {
    return expandPermissions(texts, 'thing');
  } catch (error) {
    if (!(error instanceof InvalidPermission)) throw error;
    const why = `Invalid \`permissions\` param: ${error.message}`;
    throw new AppwriteError('general_argument_invalid', why, { cause: error });
  }
}

/** A caller can't grant a role that they do not have. */
export function requireOwnRoles(caller: AppwriteCaller, permissions: string[]): void {
  if (caller.kind === 'key') return;
  const foreign = findForeignRole(permissions, caller.roles);
  if (foreign !== undefined) {
    throw new AppwriteError('user_unauthorized', `Permissions must be one of: (${caller.roles.join(', ')})`);
  }
}
