/** Permissions of a document, a file, or everything in a collection or a bucket, as texts such as `read("user:a")`. */
import { ID_FORM } from './ids.ts';

export type Action = 'read' | 'create' | 'update' | 'delete';

/** `container` is a collection or a bucket, which has a `create` permission; `thing` is a document or a file. */
export type Subject = 'thing' | 'container';

export const MAX_PERMISSIONS = 100;

export class InvalidPermission extends Error {
  override name = 'InvalidPermission';
}

const FORM = /^(read|create|update|delete|write)\("([^"]*)"\)$/;
const STATES = ['verified', 'unverified'];
const WRITES: Record<Subject, Action[]> = { thing: ['update', 'delete'], container: ['create', 'update', 'delete'] };
const ITEM_ACTIONS: Action[] = ['read', ...WRITES.thing];

/** Replaces `write` by the actions it stands for and removes duplicates. Throws `InvalidPermission`. */
export function expandPermissions(texts: readonly string[], subject: Subject): string[] {
  if (texts.length > MAX_PERMISSIONS)
    throw new InvalidPermission(`You can only provide up to ${MAX_PERMISSIONS} permissions.`);
  const expanded = texts.flatMap((text) => {
    const [, action, role] = FORM.exec(text) ?? [];
    if (action === undefined || role === undefined || !isRole(role))
      throw new InvalidPermission(`Permission "${text}" is not allowed.`);
    if (action === 'create' && subject === 'thing')
      throw new InvalidPermission('Permission "create" is not allowed here.');
    return action === 'write' ? WRITES[subject].map((each) => writePermission(each, role)) : [text];
  });
  return [...new Set(expanded)];
}

export function isRole(role: string): boolean {
  const [, kind = '', id, suffix] = /^([a-z]+)(?::([^/]*))?(?:\/(.*))?$/.exec(role) ?? [];
  switch (kind) {
    case 'any':
    case 'guests':
      return id === undefined && suffix === undefined;
    case 'users':
      return id === undefined && isState(suffix);
    case 'user':
      return isId(id) && isState(suffix);
    case 'team':
      return isId(id) && (suffix === undefined || ID_FORM.test(suffix));
    case 'member':
    case 'label':
      return isId(id) && suffix === undefined;
    default:
      return false;
  }
}

function isId(id: string | undefined): boolean {
  return id !== undefined && ID_FORM.test(id);
}

function isState(suffix: string | undefined): boolean {
  return suffix === undefined || STATES.includes(suffix);
}

export function writePermission(action: Action, role: string): string {
  return `${action}("${role}")`;
}

/** The default permissions of a document or file: its creator may do everything. */
export function ownPermissions(user: string): string[] {
  return ITEM_ACTIONS.map((action) => writePermission(action, `user:${user}`));
}

/** The roles that name a user. */
export function rolesNaming(user: string): string[] {
  return [`user:${user}`, ...STATES.map((state) => `user:${user}/${state}`)];
}

/** Every permission of a document or file that names a user. */
export function permissionsNaming(user: string): string[] {
  return rolesNaming(user).flatMap((role) => ITEM_ACTIONS.map((action) => writePermission(action, role)));
}

export function roleOf(permission: string): string {
  return FORM.exec(permission)?.[2] ?? '';
}

/** The roles to which a list of permissions grants an action. */
export function rolesGranted(permissions: readonly string[], action: Action): string[] {
  return permissions.filter((text) => text.startsWith(`${action}(`)).map(roleOf);
}

export function isGranted(permissions: readonly string[], action: Action, roles: readonly string[]): boolean {
  return roles.some((role) => permissions.includes(writePermission(action, role)));
}

interface Person {
  id: string;
  isVerified: boolean;
  labels: readonly string[];
}

export const GUEST_ROLES: readonly string[] = ['any', 'guests'];

export function rolesOf({ id, isVerified, labels }: Person): string[] {
  const state = isVerified ? 'verified' : 'unverified';
  return [
    'any',
    'users',
    `users/${state}`,
    `user:${id}`,
    `user:${id}/${state}`,
    ...labels.map((label) => `label:${label}`),
  ];
}

/** A caller can only grant their own roles. Returns the first role that they do not have. */
export function findForeignRole(permissions: readonly string[], roles: readonly string[]): string | undefined {
  return permissions.map(roleOf).find((role) => !roles.includes(role));
}

export interface Guarded {
  /** Permissions of the collection or bucket. */
  container: readonly string[];
  /** Whether permissions of single documents or files count too. */
  isEachGuarded: boolean;
}

export function isAllowed(
  { container, isEachGuarded }: Guarded,
  own: readonly string[],
  action: Exclude<Action, 'create'>,
  roles: readonly string[],
): boolean {
  return isGranted(container, action, roles) || (isEachGuarded && isGranted(own, action, roles));
}
