/** Permissions on `/v1`: those that callers set, and what they allow. An API key may do everything. */
import {
  expandPermissions,
  findForeignRole,
  InvalidPermission,
  isAllowed,
  isGranted,
} from '@dostar/protocol/appwrite/permissions';
import type { Action, Guarded } from '@dostar/protocol/appwrite/permissions';
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

export function mayCreate({ container }: Guarded, caller: AppwriteCaller): boolean {
  return caller.kind === 'key' || isGranted(container, 'create', caller.roles);
}

/** `own`: the permissions of the document or file. */
export function isPermitted(
  guarded: Guarded,
  own: readonly string[],
  action: Exclude<Action, 'create'>,
  caller: AppwriteCaller,
): boolean {
  return caller.kind === 'key' || isAllowed(guarded, own, action, caller.roles);
}

/** The roles whose documents or files the caller may list; undefined if the caller may list all. */
export function readersFor(
  { container, isEachGuarded }: Guarded,
  caller: AppwriteCaller,
): readonly string[] | undefined {
  if (caller.kind === 'key' || isGranted(container, 'read', caller.roles)) return undefined;
  if (!isEachGuarded) throw new AppwriteError('user_unauthorized');
  return caller.roles;
}
