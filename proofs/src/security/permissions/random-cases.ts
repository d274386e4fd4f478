/** Random containers, documents and callers. */
import { expandPermissions, GUEST_ROLES, rolesOf } from '@dostar/protocol/appwrite/permissions';
import type { AppwriteCaller } from '../../../../apps/server/src/appwrite/http.ts';
import type { AccountId } from '@dostar/protocol/ids';
import { seededRandom } from '../../harness/lib/seeded-random.ts';
import type { PermissionContainer, Subject } from './reference.ts';

export type Random = (below: number) => number;

/** Whole numbers that repeat with the same seed. */
export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}

/** The rules read roles only; any account id will do. */
const ACCOUNT = '00000000-0000-4000-8000-000000000001' as AccountId;

const IDS = ['ann', 'ben', 'cem', 'dina'];
const LABELS = ['vip', 'staff'];
const STATES = ['', '/verified', '/unverified'];

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)]!;
}

function randomRole(random: Random): string {
  switch (random(6)) {
    case 0:
      return 'any';
    case 1:
      return 'guests';
    case 2:
      return `users${pick(random, STATES)}`;
    case 3:
      return `label:${pick(random, LABELS)}`;
    default:
      return `user:${pick(random, IDS)}${pick(random, STATES)}`;
  }
}

function randomPermissions(random: Random, verbs: readonly string[], most: number): string[] {
  return Array.from({ length: random(most + 1) }, () => `${pick(random, verbs)}("${randomRole(random)}")`);
}

export function randomContainer(random: Random): PermissionContainer {
  const verbs = ['read', 'create', 'update', 'delete', 'write'];
  return { permissions: randomPermissions(random, verbs, 2), hasDocumentSecurity: random(3) > 0 };
}

export function randomDocumentPermissions(random: Random): string[] {
  return randomPermissions(random, ['read', 'update', 'delete', 'write'], 4);
}

export function randomSubject(random: Random): Subject {
  if (random(5) === 0) return { id: undefined, isVerified: false, labels: [] };
  return { id: pick(random, IDS), isVerified: random(2) === 0, labels: LABELS.filter(() => random(2) === 0) };
}

/** The subject as the server represents it. */
export function callerOf({ id, isVerified, labels }: Subject): AppwriteCaller {
  if (id === undefined) return { kind: 'guest', roles: GUEST_ROLES };
  const roles = rolesOf({ id, isVerified, labels });
  return {
    kind: 'user',
    account: ACCOUNT,
    id,
    roles,
    session: undefined,
    product: undefined,
    needsSecondFactor: false,
    isByJwt: false,
  };
}

export function containerOf(id: string, { permissions, hasDocumentSecurity }: PermissionContainer) {
  return {
    id,
    permissions: expandPermissions(permissions, 'container'),
    documentSecurity: hasDocumentSecurity,
    quotaBytes: 1_000_000,
    attributes: [{ key: 'n', type: 'integer' as const, required: true, array: false, size: 1 }],
  };
}
