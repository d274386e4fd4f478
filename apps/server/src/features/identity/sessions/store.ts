import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** How long a re-authentication allows sensitive actions. */
export const REAUTHENTICATION_LIFETIME_MS = 10 * 60_000;

export interface NewSession {
  owner: AccountId;
  id: string;
  device: DeviceId;
  secretHash: Buffer;
  createdAt: number;
  provenAt: number;
  expiresAt: number;
  client: string;
  isPending: boolean;
}

export async function insertSession(db: ShardDb, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({
      owner: session.owner,
      id: session.id,
      device: session.device,
      secret_hash: session.secretHash,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      client: session.client,
      proven_at: session.provenAt,
      pending: session.isPending,
    })
    .execute();
}

export async function insertDevice(db: ShardDb, owner: AccountId, id: DeviceId, createdAt: number): Promise<void> {
  await db.insertInto('device').values({ owner, id, created_at: createdAt, seen_at: createdAt }).execute();
}

export async function deleteDevice(db: ShardDb, owner: AccountId, id: DeviceId): Promise<void> {
  await db.deleteFrom('device').where('owner', '=', owner).where('id', '=', id).execute();
}

/** Replaces the device `before` of the session. Returns the session's device, which another call may have replaced first. */
export async function replaceSessionDevice(
  db: ShardDb,
  owner: AccountId,
  id: string,
  before: DeviceId,
  after: DeviceId,
): Promise<DeviceId | undefined> {
  const { rows } = await sql<{ device: DeviceId }>`
    update session set device = case when device = ${before} then ${after}::uuid else device end
    where owner = ${owner} and id = ${id} returning device`.execute(db);
  return rows[0]?.device;
}

/** Records that the device was used. Never goes back: a call may store its time after a later call has. */
export async function markSeen(db: ShardDb, owner: AccountId, id: DeviceId, now: number): Promise<void> {
  await db
    .updateTable('device')
    .set({ seen_at: now })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('seen_at', '<', now)
    .execute();
}

/**
 * Sessions beyond the newest `keep`, by when they were last seen. Parallel sign-ins wait for each other. Sessions from
 * before a password reset count first and leave one place, so repeated sign-ins can't push them out.
 */
export async function listSurplus(db: ShardDb, owner: AccountId, keep: number): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(7034, hashtext(${owner}))`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select s.id, d.seen_at, d.created_at, s.created_at < r.reset_at as is_before,
        row_number() over (partition by s.created_at < r.reset_at order by d.seen_at desc, d.created_at desc) as place
      from session s join device d on d.owner = s.owner and d.id = s.device left join recovery r on r.owner = s.owner
      where s.owner = ${owner}
    ) as ranked
    order by (coalesce(is_before, false) and place < ${keep}) desc, seen_at desc, created_at desc
    offset ${keep}`.execute(db);
  return rows.map((row) => row.id);
}

export interface InactiveSession {
  owner: AccountId;
  id: string;
}

export async function listInactive(db: ShardDb, before: number, limit: number): Promise<InactiveSession[]> {
  const { rows } = await sql<InactiveSession>`
    select s.owner, s.id from device d join session s on s.owner = d.owner and s.device = d.id
    where d.seen_at < ${before} order by d.seen_at limit ${limit}`.execute(db);
  return rows;
}

export interface SessionSecret {
  owner: AccountId;
  secretHash: Buffer;
}

export interface FoundSession {
  id: string;
  device: DeviceId;
  expiresAt: number;
  provenAt: number;
  isPending: boolean;
  /** The token is the one before the current token. */
  isReplaced: boolean;
  /** There is a former token, and the current token is used for the first time. */
  isUnconfirmed: boolean;
  /** Until when the former token is accepted; null if there is none, and until the current token is used. */
  formerUntil: number | null;
  /** Null for a pending session, which has no device row yet. */
  seenAt: number | null;
}

/** In the order of `asked`; undefined for sessions that are not on this shard. */
export async function findSessions(db: ShardDb, asked: SessionSecret[]): Promise<(FoundSession | undefined)[]> {
  const { rows } = await sql<FoundSession & { ord: number }>`
    select a.ord, s.id, s.device, s.expires_at as "expiresAt", s.proven_at as "provenAt", s.pending as "isPending",
      s.secret_hash <> a.secret_hash as "isReplaced",
      s.secret_hash = a.secret_hash and s.former_hash is not null and s.former_until is null as "isUnconfirmed",
      s.former_until as "formerUntil", d.seen_at as "seenAt"
    from unnest(${asked.map(({ owner }) => owner)}::uuid[], ${asked.map(({ secretHash }) => secretHash)}::bytea[])
      with ordinality as a (owner, secret_hash, ord)
    cross join lateral (
      select * from session where owner = a.owner and a.secret_hash in (secret_hash, former_hash) limit 1
    ) s
    left join lateral (select seen_at from device where owner = a.owner and id = s.device limit 1) d on true`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.ord, row]));
  return asked.map((_, index) => found.get(index + 1));
}

/** Undefined if the session is not pending. It counts as re-authenticated only if the first factor is recent too. */
export async function completeSession(
  db: ShardDb,
  owner: AccountId,
  id: string,
  { secretHash, now, expiresAt }: { secretHash: Buffer; now: number; expiresAt: number },
): Promise<{ device: DeviceId; provenAt: number } | undefined> {
  const row = await db
    .updateTable('session')
    .set({
      pending: false,
      secret_hash: secretHash,
      expires_at: expiresAt,
      proven_at: sql`case when proven_at >= ${now - REAUTHENTICATION_LIFETIME_MS} then ${now} else proven_at end`,
    })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('pending', '=', true)
    .returning(['device', 'proven_at as provenAt'])
    .executeTakeFirst();
  return row && { device: row.device as DeviceId, provenAt: row.provenAt };
}

export interface ReauthenticationTimes {
  /** When the person last signed in or re-authenticated. */
  provenAt: number;
  /** When they last gave the current password; null once a change of the password has consumed it. */
  passwordProvenAt: number | null;
  /** When they last gave the first of two factors; null once the second was given. */
  halfProvenAt: number | null;
}

/** A session, by its current token. */
export interface CurrentToken {
  owner: AccountId;
  id: string;
  secretHash: Buffer;
}

export async function findReauthenticationTimes(
  db: ShardDb,
  { owner, id, secretHash }: CurrentToken,
): Promise<ReauthenticationTimes | undefined> {
  return db
    .selectFrom('session')
    .select(['proven_at as provenAt', 'password_proven_at as passwordProvenAt', 'half_proven_at as halfProvenAt'])
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

/**
 * Records the times and gives the session a new token. A token that was issued and never used is dropped: the browser has
 * the one before it. Returns when the session expires; undefined if it was revoked.
 */
export async function setReauthenticationTimes(
  db: ShardDb,
  owner: AccountId,
  id: string,
  { secretHash, ...times }: Partial<ReauthenticationTimes> & { secretHash: Buffer },
): Promise<number | undefined> {
  const row = await db
    .updateTable('session')
    .set({
      secret_hash: secretHash,
      former_hash: sql`case when former_hash is not null and former_until is null then former_hash else secret_hash end`,
      former_until: null,
      ...(times.provenAt !== undefined && { proven_at: times.provenAt }),
      ...(times.passwordProvenAt !== undefined && { password_proven_at: times.passwordProvenAt }),
      ...(times.halfProvenAt !== undefined && { half_proven_at: times.halfProvenAt }),
    })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .returning('expires_at as expiresAt')
    .executeTakeFirst();
  return row?.expiresAt;
}

/** The browser has used its new token, so the former one expires. */
export async function endFormerToken(db: ShardDb, owner: AccountId, id: string, until: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ former_until: until })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('former_until', 'is', null)
    .execute();
}

/** Consumes a re-authentication by password. False if there is none since `notBefore`. */
export async function clearPasswordReauthentication(
  db: ShardDb,
  { owner, id, secretHash }: CurrentToken,
  notBefore: number,
): Promise<boolean> {
  const taken = await db
    .updateTable('session')
    .set({ password_proven_at: null })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('secret_hash', '=', secretHash)
    .where('password_proven_at', '>=', notBefore)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes pending sessions whose second factor was not given in time. */
export async function deleteExpiredPending(db: ShardDb, owner: AccountId, now: number): Promise<void> {
  await db
    .deleteFrom('session')
    .where('owner', '=', owner)
    .where('pending', '=', true)
    .where('expires_at', '<=', now)
    .execute();
}

/** Returns its device, which the caller has to delete too. */
export async function deleteSession(db: ShardDb, owner: AccountId, id: string): Promise<DeviceId | undefined> {
  const revoked = await db
    .deleteFrom('session')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .returning('device')
    .executeTakeFirst();
  return revoked?.device as DeviceId | undefined;
}

export async function listSessions(db: ShardDb, owner: AccountId, now: number) {
  return db
    .selectFrom('session')
    .select(['id', 'device', 'client', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .where('expires_at', '>', now)
    .where('pending', '=', false)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();
}

export async function listSince(db: ShardDb, owner: AccountId, moment: number): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('owner', '=', owner)
    .where('created_at', '>=', moment)
    .execute();
  return rows.map((row) => row.id);
}

/** Which of these sessions exist and have not expired. */
export async function listLive(db: ShardDb, asked: { owner: AccountId; id: string }[], now: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from session s
    join unnest(${asked.map((row) => row.owner)}::uuid[], ${asked.map((row) => row.id)}::uuid[]) as a (owner, id)
      on s.owner = a.owner and s.id = a.id
    where s.expires_at > ${now}`.execute(db);
  return rows.map((row) => row.id);
}
