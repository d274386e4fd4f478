/** The SQL of the key backup. Entries go in and come out as the client made them. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres.ts';
import { deletePage } from '../../platform/sweeping.ts';

export interface BackupVersion {
  version: number;
  algorithm: string;
  authData: string;
  etag: number;
  count: number;
  /** Null for those of before this was kept. */
  createdAt: number | null;
}

/** Its number was never given out before. The caller keeps other writers of the account's backup out. */
export async function insertVersion(
  db: ShardDb,
  owner: AccountId,
  recipe: { algorithm: string; authData: string; now: number },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into backup_version (owner, version, algorithm, auth_data, created_at)
    select ${owner}, 1 + coalesce(max(version), 0), ${recipe.algorithm}, ${recipe.authData}, ${recipe.now}::bigint
    from backup_version where owner = ${owner}
    returning version`.execute(db);
  return rows[0]!.version;
}

/** Whoever changes a backup waits here for whoever does so already. */
export async function lockBackup(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7035, hashtext(${owner}))`.execute(db);
}

/** The newest that was neither deleted nor put away, else the newest that was put away; or the one asked for. */
export async function findVersion(db: ShardDb, owner: AccountId, version?: number): Promise<BackupVersion | undefined> {
  let query = db
    .selectFrom('backup_version')
    .select(['version', 'algorithm', 'auth_data as authData', 'etag', 'count', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .where('deleted', '=', false)
    .orderBy((eb) => eb('until', 'is not', null))
    .orderBy('version', 'desc')
    .limit(1);
  if (version !== undefined) query = query.where('version', '=', version);
  return query.executeTakeFirst();
}

export async function setAuthData(db: ShardDb, owner: AccountId, version: number, authData: string): Promise<void> {
  await db
    .updateTable('backup_version')
    .set({ auth_data: authData })
    .where('owner', '=', owner)
    .where('version', '=', version)
    .execute();
}

/** Those that were not deleted. */
export async function listVersions(
  db: ShardDb,
  owner: AccountId,
): Promise<{ version: number; until: number | null }[]> {
  return db
    .selectFrom('backup_version')
    .select(['version', 'until'])
    .where('owner', '=', owner)
    .where('deleted', '=', false)
    .execute();
}

/** How many versions are not deleted, and how many keys they hold. */
export async function countKept(db: ShardDb, owner: AccountId): Promise<{ versions: number; keys: number }> {
  const { rows } = await sql<{ versions: number; keys: number }>`
    select count(*) as versions, coalesce(sum(count), 0)::bigint as keys
    from backup_version where owner = ${owner} and not deleted`.execute(db);
  return rows[0]!;
}

export async function setUntil(db: ShardDb, owner: AccountId, version: number, until: number | null): Promise<void> {
  await db
    .updateTable('backup_version')
    .set({ until })
    .where('owner', '=', owner)
    .where('version', '=', version)
    .execute();
}

export async function listExpiredVersions(
  db: ShardDb,
  now: number,
  limit: number,
): Promise<{ owner: AccountId; version: number }[]> {
  const rows = await db
    .selectFrom('backup_version')
    .select(['owner', 'version'])
    .where('until', '<=', now)
    .orderBy('until')
    .limit(limit)
    .execute();
  return rows.map(({ owner, version }) => ({ owner: owner as AccountId, version }));
}

/** The row stays, so that its number does. Its keys can be read no more, and go with the next sweep. */
export async function markDeleted(db: ShardDb, owner: AccountId, version: number): Promise<void> {
  await db
    .updateTable('backup_version')
    .set({ deleted: true, count: 0, until: 0 })
    .where('owner', '=', owner)
    .where('version', '=', version)
    .execute();
}

/** False if it is not due any more. */
export async function expireVersion(db: ShardDb, owner: AccountId, version: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backup_version')
    .set({ deleted: true, count: 0 })
    .where('owner', '=', owner)
    .where('version', '=', version)
    .where('until', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A page of them. */
export async function deleteKeysOf(db: ShardDb, owner: AccountId, version: number): Promise<boolean> {
  return deletePage(db, 'backup_key', sql`owner = ${owner} and version = ${version}`);
}

export interface BackupRow {
  room: ChatId;
  session: string;
  firstIndex: number;
  forwarded: number;
  isVerified: boolean;
  entry: string;
}

/** Of a session that is there already the better stays: verified, then from an earlier message, then forwarded less. */
export async function putEntries(
  db: ShardDb,
  owner: AccountId,
  version: number,
  entries: BackupRow[],
): Promise<{ added: number; changed: number }> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into backup_key as k (owner, version, room, session, first_index, forwarded, verified, entry)
    select ${owner}, ${version}, e.* from unnest(
      ${entries.map((row) => row.room)}::uuid[], ${entries.map((row) => row.session)}::text[],
      ${entries.map((row) => row.firstIndex)}::bigint[], ${entries.map((row) => row.forwarded)}::bigint[],
      ${entries.map((row) => row.isVerified)}::boolean[], ${entries.map((row) => row.entry)}::text[]
    ) as e (room, session, first_index, forwarded, verified, entry)
    on conflict (owner, version, room, session) do update
      set first_index = excluded.first_index, forwarded = excluded.forwarded, verified = excluded.verified,
        entry = excluded.entry
      where (excluded.verified, -excluded.first_index, -excluded.forwarded) > (k.verified, -k.first_index, -k.forwarded)
    returning xmax = 0 as "isNew"`.execute(db);
  return { added: rows.filter((row) => row.isNew).length, changed: rows.length };
}

export interface Range {
  version: number;
  room?: ChatId | undefined;
  session?: string | undefined;
}

export async function listEntries(
  db: ShardDb,
  owner: AccountId,
  range: Range,
  page: { after?: { room: ChatId; session: string } | undefined; limit: number },
): Promise<{ room: ChatId; session: string; entry: string }[]> {
  const { version, room = null, session = null } = range;
  const { after } = page;
  const { rows } = await sql<{ room: ChatId; session: string; entry: string }>`
    select room, session, entry from backup_key
    where owner = ${owner} and version = ${version}
      and (${room}::uuid is null or room = ${room}) and (${session}::text is null or session = ${session})
      and (${after?.room ?? null}::uuid is null or (room, session) > (${after?.room ?? null}::uuid, ${after?.session ?? null}::text))
    order by room, session limit ${page.limit}`.execute(db);
  return rows;
}

/** Those of the named that are there. */
export async function pickEntries(
  db: ShardDb,
  owner: AccountId,
  version: number,
  names: { room: ChatId; session: string }[],
): Promise<{ room: ChatId; session: string; entry: string }[]> {
  const { rows } = await sql<{ room: ChatId; session: string; entry: string }>`
    select k.room, k.session, k.entry
    from unnest(${names.map(({ room }) => room)}::uuid[], ${names.map(({ session }) => session)}::text[])
      as n (room, session)
    join backup_key k on k.owner = ${owner} and k.version = ${version} and k.room = n.room and k.session = n.session
  `.execute(db);
  return rows;
}

/** Some of them. The caller keeps other writers of the account's backup out. */
export async function deleteEntries(db: ShardDb, owner: AccountId, range: Range, limit: number): Promise<number> {
  const { version, room = null, session = null } = range;
  const result = await sql`
    delete from backup_key where ctid = any (array(
      select ctid from backup_key where owner = ${owner} and version = ${version}
        and (${room}::uuid is null or room = ${room}) and (${session}::text is null or session = ${session})
      limit ${limit}))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Notes a stored change. */
export async function countChange(
  db: ShardDb,
  owner: AccountId,
  version: number,
  change: { etag: number; count: number },
): Promise<{ etag: number; count: number }> {
  return db
    .updateTable('backup_version')
    .set((eb) => ({ etag: eb('etag', '+', change.etag), count: eb('count', '+', change.count) }))
    .where('owner', '=', owner)
    .where('version', '=', version)
    .returning(['etag', 'count'])
    .executeTakeFirstOrThrow();
}
