/** Accounts and sessions in the format of `/v1`. Device and location fields are empty: the server does not store them. */
import { createHash } from 'node:crypto';
import { parseStoredJson } from '../../platform/http/bigint-json.ts';
import { writeTime } from '../time.ts';
import { describeTarget } from '../push-targets/service.ts';
import type { TargetRow } from '../push-targets/service.ts';
import type { UserWithTimes } from '../../features/people/users/service.ts';
import type { AccountRow, SessionRow } from './store.ts';

export function describeUser(row: AccountRow, targets: TargetRow[]) {
  return {
    $id: row.id,
    $createdAt: writeTime(row.created_at),
    $updatedAt: writeTime(row.updated_at),
    name: row.name,
    registration: writeTime(row.created_at),
    status: !row.is_blocked,
    labels: row.labels,
    passwordUpdate: writeTime(row.password_at),
    email: row.email,
    phone: '',
    emailVerification: row.verified_at !== null,
    phoneVerification: false,
    mfa: row.mfa,
    prefs: parseStoredJson(row.prefs) as Record<string, unknown>,
    targets: [describeEmailTarget(row), ...targets.map((target) => describeTarget(target, row.id))],
    accessedAt: writeTime(row.accessed_at),
  };
}

/** An account of the product has no password that `/v1` knows, and its name is private. */
export function describeProductUser({ user, createdAt, updatedAt }: UserWithTimes, targets: TargetRow[]) {
  return {
    $id: user.$id,
    $createdAt: writeTime(createdAt),
    $updatedAt: writeTime(updatedAt),
    name: user.username,
    registration: writeTime(createdAt),
    status: true,
    labels: [] as string[],
    passwordUpdate: '',
    email: user.email ?? '',
    phone: '',
    emailVerification: user.isVerified,
    phoneVerification: false,
    mfa: false,
    prefs: {},
    targets: targets.map((target) => describeTarget(target, user.$id)),
    accessedAt: writeTime(user.lastOnline === null ? createdAt : Date.parse(user.lastOnline)),
  };
}

function describeEmailTarget(row: AccountRow) {
  return {
    $id: createHash('sha256').update(`email ${row.owner}`).digest('hex').slice(0, 20),
    $createdAt: writeTime(row.created_at),
    $updatedAt: writeTime(row.created_at),
    name: '',
    userId: row.id,
    providerId: null,
    providerType: 'email',
    identifier: row.email,
    expired: false,
  };
}

interface SessionView {
  userId: string;
  email: string;
  isCurrent: boolean;
  /** Returned only to calls with an API key. */
  secret?: string;
}

export function describeSession(row: SessionRow, { userId, email, isCurrent, secret = '' }: SessionView) {
  return {
    $id: row.id,
    $createdAt: writeTime(row.created_at),
    $updatedAt: writeTime(row.updated_at),
    userId,
    expire: writeTime(row.expires_at),
    provider: row.provider,
    providerUid: row.provider === 'email' ? email : '',
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: '',
    osCode: '',
    osName: '',
    osVersion: '',
    clientType: '',
    clientCode: '',
    clientName: row.client,
    clientVersion: '',
    clientEngine: '',
    clientEngineVersion: '',
    deviceName: '',
    deviceBrand: '',
    deviceModel: '',
    countryCode: '--',
    countryName: '',
    current: isCurrent,
    factors: row.factors,
    secret,
    mfaUpdatedAt: row.mfa_at === null ? '' : writeTime(row.mfa_at),
  };
}
