import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { DirectoryDb, ShardDb } from '../../../platform/postgres/pools.ts';

export async function listPlacement(directory: DirectoryDb) {
  return directory.selectFrom('placement').select(['bucket', 'shard']).orderBy('bucket').execute();
}

export async function insertPlacement(
  directory: DirectoryDb,
  rows: { bucket: number; shard: number }[],
): Promise<void> {
  await directory
    .insertInto('placement')
    .values(rows)
    .onConflict((conflict) => conflict.column('bucket').doNothing())
    .execute();
}

export async function setPlacement(directory: DirectoryDb, bucket: number, shard: number): Promise<void> {
  await directory
    .updateTable('placement')
    .set((eb) => ({ shard, version: eb('version', '+', 1) }))
    .where('bucket', '=', bucket)
    .execute();
}

/** Call inside a transaction of the directory: it holds the bucket until that ends. Moves of other buckets may continue. */
export async function requireMoveLock(directory: DirectoryDb, bucket: number): Promise<void> {
  const { rows } = await sql<{ mayMove: boolean; isMine: boolean }>`
    select pg_try_advisory_xact_lock_shared(7033, 0) as "mayMove",
      pg_try_advisory_xact_lock(7032, ${bucket}::int) as "isMine"`.execute(directory);
  if (!rows[0]?.mayMove) throw new Error('the epoch of a shard is being raised: move the bucket afterwards');
  if (!rows[0].isMine) throw new Error(`bucket ${bucket} is being moved by another process`);
}

/** Call inside a transaction of the directory: no bucket is moved until that ends. */
export async function requireNoMoves(directory: DirectoryDb): Promise<void> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(7033, 0) as "isFree"`.execute(directory);
  if (!rows[0]?.isFree) throw new Error('a bucket is being moved: do this afterwards');
}

/** The buckets that the shard considers its own. */
export async function listBucketsHere(db: ShardDb): Promise<number[]> {
  const rows = await db.selectFrom('bucket_here').select('bucket').orderBy('bucket').execute();
  return rows.map((row) => row.bucket);
}

export async function insertBucketsHere(db: ShardDb, buckets: number[]): Promise<void> {
  if (buckets.length === 0) return;
  await db
    .insertInto('bucket_here')
    .values(buckets.map((bucket) => ({ bucket })))
    .onConflict((conflict) => conflict.column('bucket').doNothing())
    .execute();
}

export async function deleteBucketHere(db: ShardDb, bucket: number): Promise<void> {
  await db.deleteFrom('bucket_here').where('bucket', '=', bucket).execute();
}

/** Waits for writes that hold the bucket; those that come later see `frozen`. Call inside a transaction. */
export async function freezeBucket(db: ShardDb, bucket: number, isFrozen: boolean): Promise<void> {
  await sql`select pg_advisory_xact_lock(7031, ${bucket}::int)`.execute(db);
  await db.updateTable('bucket_here').set({ frozen: isFrozen }).where('bucket', '=', bucket).execute();
}

/** Locks in owner order, as every append does. */
export async function freezeMailboxes(db: ShardDb, bucket: number, isFrozen: boolean): Promise<void> {
  await sql`
    with locked as materialized (
      select owner from mailbox where bucket_of(owner) = ${bucket} order by owner for no key update
    )
    update mailbox m set frozen = ${isFrozen} from locked where m.owner = locked.owner`.execute(db);
}

/** Blocks appends until the transaction ends. Does nothing without a mailbox: a deletion may be repeated. */
export async function lockMailboxToDelete(db: ShardDb, owner: AccountId): Promise<void> {
  await db.selectFrom('mailbox').select('owner').where('owner', '=', owner).forUpdate().execute();
}

/** Every table whose rows belong to an account. The mailbox comes last: an account exists on a shard once its mailbox does. */
export async function listOwnedTables(db: ShardDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'owner' and t.table_type = 'BASE TABLE'
    order by c.table_name = 'mailbox', c.table_name`.execute(db);
  return rows.map((row) => row.name);
}

/** Accounts, and blobs, which have buckets of their own. */
export async function listOwners(db: ShardDb, bucket: number): Promise<{ owner: string; lastSeq: number }[]> {
  const { rows } = await sql<{ owner: string; lastSeq: number }>`
    select owner, last_seq as "lastSeq" from mailbox where bucket_of(owner) = ${bucket}
    union all
    select owner, 0 from blob where bucket_of(owner) = ${bucket}
    order by owner`.execute(db);
  return rows;
}
