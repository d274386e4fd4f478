import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type FileRow = Selectable<ShardTables['file']>;

/** False if the id is taken. */
export async function insertFile(db: ShardDb, file: Insertable<ShardTables['file']>): Promise<boolean> {
  const result = await db
    .insertInto('file')
    .values(file)
    .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findFile(db: ShardDb, owner: AccountId, id: string): Promise<FileRow | undefined> {
  return db.selectFrom('file').selectAll().where('owner', '=', owner).where('id', '=', id).executeTakeFirst();
}

export async function updateFile(
  db: ShardDb,
  owner: AccountId,
  id: string,
  changes: Updateable<ShardTables['file']>,
): Promise<void> {
  await db.updateTable('file').set(changes).where('owner', '=', owner).where('id', '=', id).execute();
}

/** False if another process finished it, or it is gone. */
export async function finishRow(
  db: ShardDb,
  owner: AccountId,
  id: string,
  changes: Updateable<ShardTables['file']>,
): Promise<boolean> {
  const result = await db
    .updateTable('file')
    .set(changes)
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The counter only grows, so parallel chunks don't set it back. */
export async function noteChunks(db: ShardDb, owner: AccountId, id: string, uploaded: number): Promise<void> {
  await db
    .updateTable('file')
    .set({ chunks_uploaded: sql<number>`greatest(chunks_uploaded, ${uploaded})` })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

export async function deleteFile(db: ShardDb, owner: AccountId, id: string): Promise<void> {
  await db.deleteFrom('file').where('owner', '=', owner).where('id', '=', id).execute();
}

export async function listUnfinished(db: ShardDb, before: number, limit: number): Promise<FileRow[]> {
  return db
    .selectFrom('file')
    .selectAll()
    .where('state', '=', 'open')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

export async function listOfUploader(
  db: ShardDb,
  owner: AccountId,
  uploader: AccountId,
  limit: number,
): Promise<FileRow[]> {
  return db
    .selectFrom('file')
    .selectAll()
    .where('owner', '=', owner)
    .where('uploader', '=', uploader)
    .limit(limit)
    .execute();
}
