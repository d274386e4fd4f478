import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface BlobRow {
  uploader: AccountId;
  size: number;
  state: 'open' | 'finished';
  /** The store's handle of the upload. */
  upload: string;
}

export async function findBlob(db: ShardDb, blob: BlobId): Promise<BlobRow | undefined> {
  const row = await db
    .selectFrom('blob')
    .select(['uploader', 'size', 'state', 'upload'])
    .where('owner', '=', blob)
    .executeTakeFirst();
  return row as BlobRow | undefined;
}

/** False if it is there already: nothing happens. */
export async function insertBlob(
  db: ShardDb,
  blob: BlobId,
  { uploader, size, upload, now }: { uploader: AccountId; size: number; upload: string; now: number },
): Promise<boolean> {
  const result = await db
    .insertInto('blob')
    .values({ owner: blob, uploader, size, upload, state: 'open', created_at: now })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Before removing the blob: a concurrent reference waits, and then finds the blob gone. */
export async function lockBlob(db: ShardDb, blob: BlobId): Promise<BlobRow | undefined> {
  const row = await db.selectFrom('blob').selectAll().where('owner', '=', blob).forUpdate().executeTakeFirst();
  return row as BlobRow | undefined;
}

/** Held against removal until the transaction ends. */
export async function holdBlob(db: ShardDb, blob: BlobId): Promise<boolean> {
  const row = await db.selectFrom('blob').select('owner').where('owner', '=', blob).forKeyShare().executeTakeFirst();
  return row !== undefined;
}

export async function setState(db: ShardDb, blob: BlobId, state: BlobRow['state']): Promise<void> {
  await db.updateTable('blob').set({ state }).where('owner', '=', blob).execute();
}

export async function listChunks(db: ShardDb, blob: BlobId): Promise<number[]> {
  const rows = await db.selectFrom('blob_chunk').select('chunk').where('owner', '=', blob).orderBy('chunk').execute();
  return rows.map((row) => row.chunk);
}

export async function findChunk(db: ShardDb, blob: BlobId, chunk: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('blob_chunk')
    .select('sha256')
    .where('owner', '=', blob)
    .where('chunk', '=', chunk)
    .executeTakeFirst();
  return row?.sha256;
}

export async function insertChunk(db: ShardDb, blob: BlobId, chunk: number, sha256: Buffer): Promise<void> {
  await db
    .insertInto('blob_chunk')
    .values({ owner: blob, chunk, sha256 })
    .onConflict((conflict) => conflict.columns(['owner', 'chunk']).doNothing())
    .execute();
}

export async function insertRef(db: ShardDb, blob: BlobId, account: AccountId): Promise<void> {
  await db
    .insertInto('blob_ref')
    .values({ owner: blob, account })
    .onConflict((conflict) => conflict.columns(['owner', 'account']).doNothing())
    .execute();
}

export async function hasRef(db: ShardDb, blob: BlobId, account: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('blob_ref')
    .select('owner')
    .where('owner', '=', blob)
    .where('account', '=', account)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether another account still has it. */
export async function deleteRef(db: ShardDb, blob: BlobId, account: AccountId): Promise<boolean> {
  await db.deleteFrom('blob_ref').where('owner', '=', blob).where('account', '=', account).execute();
  const left = await db.selectFrom('blob_ref').select('owner').where('owner', '=', blob).limit(1).executeTakeFirst();
  return left !== undefined;
}

export async function deleteBlobRows(db: ShardDb, blob: BlobId): Promise<void> {
  for (const table of ['blob_ref', 'blob_chunk', 'blob'] as const) {
    await db.deleteFrom(table).where('owner', '=', blob).execute();
  }
}

export async function listUnfinished(
  db: ShardDb,
  before: number,
  limit: number,
): Promise<{ blob: BlobId; uploader: AccountId }[]> {
  const rows = await db
    .selectFrom('blob')
    .select(['owner as blob', 'uploader'])
    .where('state', '=', 'open')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows as { blob: BlobId; uploader: AccountId }[];
}

export async function sumCharged(db: ShardDb, owner: AccountId): Promise<{ bytes: number; files: number }> {
  const row = await db
    .selectFrom('blob_held')
    .select((eb) => [eb.fn.sum<string | null>('charged').as('bytes'), eb.fn.countAll<string>().as('files')])
    .where('owner', '=', owner)
    .where('charged', '>', 0)
    .executeTakeFirstOrThrow();
  return { bytes: Number(row.bytes ?? 0), files: Number(row.files) };
}

export async function sumChargedUnverified(db: ShardDb): Promise<number> {
  const row = await db
    .selectFrom('service_account as a')
    .innerJoin('blob_held as h', 'h.owner', 'a.owner')
    .select((eb) => eb.fn.sum<string | null>('h.charged').as('bytes'))
    .where('a.verified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}

export interface StoredFiles {
  account: AccountId;
  bytes: number;
  files: number;
}

/** The accounts of a shard that are charged for most bytes. */
export async function listLargest(db: ShardDb, limit: number): Promise<StoredFiles[]> {
  const rows = await db
    .selectFrom('blob_held')
    .select((eb) => ['owner', eb.fn.sum<string>('charged').as('bytes'), eb.fn.countAll<string>().as('files')])
    .where('charged', '>', 0)
    .groupBy('owner')
    .orderBy('bytes', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ owner, bytes, files }) => ({
    account: owner as AccountId,
    bytes: Number(bytes),
    files: Number(files),
  }));
}

/** What all accounts of a shard are charged for. */
export async function readStorageTotal(db: ShardDb): Promise<number> {
  const row = await db
    .selectFrom('storage_total')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Compares the total with the charges. Returns by how much it was off. */
export async function recountStorage(db: ShardDb): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select recount_storage() as bytes`.execute(db);
  return rows[0]!.bytes;
}

export interface Charge {
  owner: AccountId;
  blob: BlobId;
}

interface ChargeRow extends Charge {
  charged: number;
  at: number;
}

/** Nothing happens if it is held already. */
export async function insertCharge(db: ShardDb, chargeRow: ChargeRow): Promise<void> {
  await db
    .insertInto('blob_held')
    .values(chargeRow)
    .onConflict((conflict) => conflict.columns(['owner', 'blob']).doNothing())
    .execute();
}

/** Never lowers a charge: of two sizes begun at once, either may be stored. False if it was as high. */
export async function raiseCharge(db: ShardDb, chargeRow: ChargeRow): Promise<boolean> {
  const { charged, at } = chargeRow;
  const result = await db
    .insertInto('blob_held')
    .values(chargeRow)
    .onConflict((conflict) =>
      conflict.columns(['owner', 'blob']).doUpdateSet({ charged, at }).where('blob_held.charged', '<', charged),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Answers what there was. */
export async function deleteCharge(db: ShardDb, owner: AccountId, blob: BlobId): Promise<ChargeRow | undefined> {
  const row = await db
    .deleteFrom('blob_held')
    .where('owner', '=', owner)
    .where('blob', '=', blob)
    .returning(['charged', 'at'])
    .executeTakeFirst();
  return row && { owner, blob, ...row };
}

/** Charges made before `before`, page by page. */
export async function listCharges(
  db: ShardDb,
  before: number,
  after: Charge | undefined,
  limit: number,
): Promise<Charge[]> {
  const rows = await db
    .selectFrom('blob_held')
    .select(['owner', 'blob'])
    .where('charged', '>', 0)
    .where('at', '<', before)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(owner, blob) > (${after?.owner}::uuid, ${after?.blob}::uuid)`),
    )
    .orderBy('owner')
    .orderBy('blob')
    .limit(limit)
    .execute();
  return rows as Charge[];
}

/** Of these blobs, those that are there, with who uploaded them. */
export async function listUploaded(db: ShardDb, blobs: BlobId[]): Promise<Map<BlobId, AccountId>> {
  const rows = await db
    .selectFrom('blob')
    .select(['owner', 'uploader'])
    .where('owner', '=', sql<string>`any(${blobs}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.owner as BlobId, row.uploader as AccountId]));
}

export async function listChargedBlobs(db: ShardDb, owner: AccountId): Promise<BlobId[]> {
  const rows = await db.selectFrom('blob_held').select('blob').where('owner', '=', owner).execute();
  return rows.map((row) => row.blob as BlobId);
}
