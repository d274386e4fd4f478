/** The SQL of the key backup. Entries are stored as the client sent them. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { type RawBuilder, sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export interface BackupVersion {
  version: number;
  algorithm: string;
  authData: string;
  etag: number;
  count: number;
  /** Null for those from before this was stored. */
  createdAt: number | null;
}

/** Assigns a number that was never used before. The caller holds the account's backup lock. */
export async function insertVersion(
  db: ShardDb,
  owner: AccountId,
  info: { algorithm: string; authData: string; now: number },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into backup_version (owner, version, algorithm, auth_data, created_at)
    select ${owner}, 1 + coalesce(max(version), 0), ${info.algorithm}, ${info.authData}, ${info.now}::bigint
    from backup_version where owner = ${owner}
    returning version`.execute(db);
  return rows[0]!.version;
}

/** Serializes changes to a backup. */
export async function lockBackup(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7035, hashtext(${owner}))`.execute(db);
}

/** The given version; without one, the newest that is neither deleted nor archived, or else the newest archived one. */
export async function findVersion(db: ShardDb, owner: AccountId, version?: number): Promise<BackupVersion | undefined> {
  let query = db
    .selectFrom('backup_version')
    .select(['version', 'algorithm', 'auth_data as authData', 'etag', 'count', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .where('deleted', '=', false)
    .orderBy((eb) => eb('until', 'is not', null))
    .orderBy('version', 'desc')
    .limit(1);
  query = version === undefined ? query.where('retired', '=', false) : query.where('version', '=', version);
  return query.executeTakeFirst();
}

/** Those that were not deleted, by its owner or for good. */
export async function listVersions(
  db: ShardDb,
  owner: AccountId,
): Promise<{ version: number; until: number | null }[]> {
  return db
    .selectFrom('backup_version')
    .select(['version', 'until'])
    .where('owner', '=', owner)
    .where('deleted', '=', false)
    .where('retired', '=', false)
    .execute();
}

interface BackupUsage {
  versions: number;
  keys: number;
  retiredVersions: number;
  retiredKeys: number;
}

/** How many versions are not deleted, how many are only retired, and how many keys they hold. */
export async function countUsage(db: ShardDb, owner: AccountId): Promise<BackupUsage> {
  const { rows } = await sql<BackupUsage>`
    select count(*) filter (where not retired) as versions,
      coalesce(sum(count) filter (where not retired), 0)::bigint as keys,
      count(*) filter (where retired) as "retiredVersions",
      coalesce(sum(count) filter (where retired), 0)::bigint as "retiredKeys"
    from backup_version where owner = ${owner} and not deleted`.execute(db);
  return rows[0]!;
}

/** Deleted by its owner; its keys can be read until then. */
export async function retireVersion(db: ShardDb, owner: AccountId, version: number, until: number): Promise<void> {
  await setRetired(db, owner, version, { until, retired: true });
}

export async function reinstateVersion(db: ShardDb, owner: AccountId, version: number): Promise<void> {
  await setRetired(db, owner, version, { until: null, retired: false });
}

async function setRetired(
  db: ShardDb,
  owner: AccountId,
  version: number,
  state: { until: number | null; retired: boolean },
): Promise<void> {
  await db.updateTable('backup_version').set(state).where('owner', '=', owner).where('version', '=', version).execute();
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

/** Keeps the row, so that its number is not used again. The worker deletes its keys. */
export async function markDeleted(db: ShardDb, owner: AccountId, version: number): Promise<void> {
  await db
    .updateTable('backup_version')
    .set({ deleted: true, count: 0, until: 0 })
    .where('owner', '=', owner)
    .where('version', '=', version)
    .execute();
}

/** False if it has not expired after all. */
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

/** Deletes one page. */
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

/** Replaced copies of a key that are kept. Each copy must rank above the last one, so there are few. */
const MAX_REPLACED = 4;

/** Keeps what `putEntries` is about to replace. The first copies stay: a thief's copies come after the genuine ones. */
export async function archiveReplaced(
  db: ShardDb,
  owner: AccountId,
  version: number,
  entries: BackupRow[],
  until: number,
): Promise<void> {
  await sql`
    insert into backup_key_replaced (owner, version, room, session, n, entry, until)
    select k.owner, k.version, k.room, k.session, coalesce(r.last, 0) + 1, k.entry, ${until}::bigint
    from ${unnestRows(entries)}
    join backup_key k on k.owner = ${owner} and k.version = ${version} and k.room = e.room and k.session = e.session
    cross join lateral (
      select max(n) as last, count(*) as kept from backup_key_replaced
      where owner = k.owner and version = k.version and room = k.room and session = k.session) r
    where ${isBetter('e')} and r.kept < ${MAX_REPLACED}`.execute(db);
}

export async function deleteReplacedBefore(db: ShardDb, moment: number): Promise<boolean> {
  return deletePage(db, 'backup_key_replaced', sql`until <= ${moment}`);
}

/** With the alias `e`. */
function unnestRows(entries: BackupRow[]): RawBuilder<unknown> {
  return sql`unnest(
      ${entries.map((row) => row.room)}::uuid[], ${entries.map((row) => row.session)}::text[],
      ${entries.map((row) => row.firstIndex)}::bigint[], ${entries.map((row) => row.forwarded)}::bigint[],
      ${entries.map((row) => row.isVerified)}::boolean[], ${entries.map((row) => row.entry)}::text[]
    ) as e (room, session, first_index, forwarded, verified, entry)`;
}

/** Whether it ranks above the stored entry `k`. */
function isBetter(one: 'e' | 'excluded'): RawBuilder<unknown> {
  return sql`${rankOf(one)} > ${rankOf('k')}`;
}

function rankOf(row: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${row}.verified`)}, -${sql.ref(`${row}.first_index`)}, -${sql.ref(`${row}.forwarded`)})`;
}

/** Of two copies of a key the better one stays: verified, then from an earlier message, then forwarded less often. */
export async function putEntries(
  db: ShardDb,
  owner: AccountId,
  version: number,
  entries: BackupRow[],
): Promise<{ added: number; changed: number }> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into backup_key as k (owner, version, room, session, first_index, forwarded, verified, entry)
    select ${owner}, ${version}, e.* from ${unnestRows(entries)}
    on conflict (owner, version, room, session) do update
      set first_index = excluded.first_index, forwarded = excluded.forwarded, verified = excluded.verified,
        entry = excluded.entry
      where ${isBetter('excluded')}
    returning xmax = 0 as "isNew"`.execute(db);
  return { added: rows.filter((row) => row.isNew).length, changed: rows.length };
}

export interface EntryRange {
  version: number;
  room?: ChatId | undefined;
  session?: string | undefined;
}

interface StoredEntry {
  room: ChatId;
  session: string;
  entry: string;
  /** Newest first. */
  replaced: string[] | null;
}

const COLUMNS = sql`k.room, k.session, k.entry, (
      select array_agg(r.entry order by r.n desc) from backup_key_replaced r
      where r.owner = k.owner and r.version = k.version and r.room = k.room and r.session = k.session) as replaced`;

export async function listEntries(
  db: ShardDb,
  owner: AccountId,
  range: EntryRange,
  page: { after?: { room: ChatId; session: string } | undefined; limit: number },
): Promise<StoredEntry[]> {
  const { version, room = null, session = null } = range;
  const { after } = page;
  const { rows } = await sql<StoredEntry>`
    select ${COLUMNS} from backup_key k
    where owner = ${owner} and version = ${version}
      and (${room}::uuid is null or room = ${room}) and (${session}::text is null or session = ${session})
      and (${after?.room ?? null}::uuid is null or (room, session) > (${after?.room ?? null}::uuid, ${after?.session ?? null}::text))
    order by room, session limit ${page.limit}`.execute(db);
  return rows;
}

/** The entries of these names that exist. */
export async function pickEntries(
  db: ShardDb,
  owner: AccountId,
  version: number,
  names: { room: ChatId; session: string }[],
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select ${COLUMNS}
    from unnest(${names.map(({ room }) => room)}::uuid[], ${names.map(({ session }) => session)}::text[])
      as n (room, session)
    join backup_key k on k.owner = ${owner} and k.version = ${version} and k.room = n.room and k.session = n.session
  `.execute(db);
  return rows;
}

/** Records a change of the entries. */
export async function addToCounts(
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
