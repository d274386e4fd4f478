/** An independent, plain implementation of the permission rules that shares no code with the server. */

export interface Subject {
  id: string | undefined;
  isVerified: boolean;
  labels: string[];
}

export interface PermissionContainer {
  permissions: string[];
  hasDocumentSecurity: boolean;
}

export type PermissionAction = 'read' | 'create' | 'update' | 'delete';

function roleMatches(role: string, subject: Subject): boolean {
  if (role === 'any') return true;
  if (role === 'guests') return subject.id === undefined;
  if (subject.id === undefined) return false;
  const state = subject.isVerified ? 'verified' : 'unverified';
  if (role === 'users' || role === `users/${state}`) return true;
  if (role === `user:${subject.id}` || role === `user:${subject.id}/${state}`) return true;
  return subject.labels.some((label) => role === `label:${label}`);
}

function grants(permission: string, action: PermissionAction, subject: Subject, isContainer: boolean): boolean {
  const verb = permission.slice(0, permission.indexOf('('));
  const role = permission.slice(permission.indexOf('"') + 1, permission.lastIndexOf('"'));
  const isWrite = verb === 'write' && action !== 'read' && (isContainer || action !== 'create');
  return (verb === action || isWrite) && roleMatches(role, subject);
}

export function isAllowed(
  container: PermissionContainer,
  own: string[],
  action: PermissionAction,
  subject: Subject,
): boolean {
  if (container.permissions.some((permission) => grants(permission, action, subject, true))) return true;
  if (action === 'create' || !container.hasDocumentSecurity) return false;
  return own.some((permission) => grants(permission, action, subject, false));
}

/** The ids that a list returns; undefined where listing is not allowed. */
export function listVisible(
  container: PermissionContainer,
  documentPermissions: Map<string, string[]>,
  subject: Subject,
): string[] | undefined {
  const isOpen = container.permissions.some((permission) => grants(permission, 'read', subject, true));
  if (!isOpen && !container.hasDocumentSecurity) return undefined;
  return [...documentPermissions].filter(([, own]) => isAllowed(container, own, 'read', subject)).map(([id]) => id);
}
