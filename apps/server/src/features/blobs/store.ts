import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';

export interface BlobRow {
  uploader: AccountId;
  size: number;
  state: 'open' | 'finished';
  /** The store's word for the upload. */
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

/** Nothing happens if it is there already. */
export async function insertBlob(
  db: ShardDb,
  blob: BlobId,
  { uploader, size, upload, now }: { uploader: AccountId; size: number; upload: string; now: number },
): Promise<void> {
  await db
    .insertInto('blob')
    .values({ owner: blob, uploader, size, upload, state: 'open', created_at: now })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .execute();
}

/** Before removing it: whoever adds to it waits, and then finds it gone. */
export async function lockBlob(db: ShardDb, blob: BlobId): Promise<BlobRow | undefined> {
  const row = await db.selectFrom('blob').selectAll().where('owner', '=', blob).forUpdate().executeTakeFirst();
  return row as BlobRow | undefined;
}

/** Held against removal until the transaction ends. */
export async function holdBlob(db: ShardDb, blob: BlobId): Promise<boolean> {
  const row = await db.selectFrom('blob').select('owner').where('owner', '=', blob).forKeyShare().executeTakeFirst();
  return row !== undefined;
}

export async function setFinished(db: ShardDb, blob: BlobId): Promise<void> {
  await db.updateTable('blob').set({ state: 'finished' }).where('owner', '=', blob).execute();
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

/** Answers whether anybody else still has one. */
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

export async function sumCharged(db: ShardDb, owner: AccountId): Promise<number> {
  const row = await db
    .selectFrom('blob_held')
    .select((eb) => eb.fn.sum<string | null>('charged').as('bytes'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}

/** False if it was held already. */
export async function insertHeld(
  db: ShardDb,
  held: { owner: AccountId; blob: BlobId; charged: number; at: number },
): Promise<boolean> {
  const result = await db
    .insertInto('blob_held')
    .values(held)
    .onConflict((conflict) => conflict.columns(['owner', 'blob']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteHeld(db: ShardDb, owner: AccountId, blob: BlobId): Promise<void> {
  await db.deleteFrom('blob_held').where('owner', '=', owner).where('blob', '=', blob).execute();
}

export async function listHeld(db: ShardDb, owner: AccountId): Promise<BlobId[]> {
  const rows = await db.selectFrom('blob_held').select('blob').where('owner', '=', owner).execute();
  return rows.map((row) => row.blob as BlobId);
}
