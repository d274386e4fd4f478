/** The rules of permissions once more, as plainly as they can be said, and sharing nothing with the server. */

export interface Somebody {
  id: string | undefined;
  isVerified: boolean;
  labels: string[];
}

export interface Shelf {
  permissions: string[];
  isEachGuarded: boolean;
}

export type Deed = 'read' | 'create' | 'update' | 'delete';

function isMeant(role: string, who: Somebody): boolean {
  if (role === 'any') return true;
  if (role === 'guests') return who.id === undefined;
  if (who.id === undefined) return false;
  const state = who.isVerified ? 'verified' : 'unverified';
  if (role === 'users' || role === `users/${state}`) return true;
  if (role === `user:${who.id}` || role === `user:${who.id}/${state}`) return true;
  return who.labels.some((label) => role === `label:${label}`);
}

function lets(permission: string, deed: Deed, who: Somebody, isShelf: boolean): boolean {
  const verb = permission.slice(0, permission.indexOf('('));
  const role = permission.slice(permission.indexOf('"') + 1, permission.lastIndexOf('"'));
  const isWrite = verb === 'write' && deed !== 'read' && (isShelf || deed !== 'create');
  return (verb === deed || isWrite) && isMeant(role, who);
}

export function mayDo(shelf: Shelf, own: string[], deed: Deed, who: Somebody): boolean {
  if (shelf.permissions.some((permission) => lets(permission, deed, who, true))) return true;
  if (deed === 'create' || !shelf.isEachGuarded) return false;
  return own.some((permission) => lets(permission, deed, who, false));
}

/** What a list answers: the ids, or nothing at all where even asking is not allowed. */
export function listFor(shelf: Shelf, things: Map<string, string[]>, who: Somebody): string[] | undefined {
  const isOpen = shelf.permissions.some((permission) => lets(permission, 'read', who, true));
  if (!isOpen && !shelf.isEachGuarded) return undefined;
  return [...things].filter(([, own]) => mayDo(shelf, own, 'read', who)).map(([id]) => id);
}
