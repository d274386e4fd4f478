import type { AccountId } from '@dostar/protocol/ids';
import type { Selectable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type PreviewRow = Selectable<ShardTables['preview']>;
type Named = Pick<PreviewRow, 'owner' | 'file' | 'wish'>;

export async function findPreview(db: ShardDb, { owner, file, wish }: Named): Promise<PreviewRow | undefined> {
  return db
    .selectFrom('preview')
    .selectAll()
    .where('owner', '=', owner)
    .where('file', '=', file)
    .where('wish', '=', wish)
    .executeTakeFirst();
}

/**
 * Locks the file row until the transaction ends, so that a deletion waits and then finds the previews written meanwhile.
 * False if the file is gone, or if another file has its id now.
 */
export async function holdFile(
  db: ShardDb,
  { owner, id, blob }: { owner: string; id: string; blob: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('file')
    .select('id')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('blob', '=', blob)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** False if another process draws it or has drawn it. */
export async function insertPreview(db: ShardDb, preview: PreviewRow): Promise<boolean> {
  const result = await db
    .insertInto('preview')
    .values(preview)
    .onConflict((conflict) => conflict.columns(['owner', 'file', 'wish']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False if it was swept in the meantime. */
export async function finishPreview(db: ShardDb, { owner, file, wish }: Named, blob: string): Promise<boolean> {
  const result = await db
    .updateTable('preview')
    .set({ state: 'finished' })
    .where('owner', '=', owner)
    .where('file', '=', file)
    .where('wish', '=', wish)
    .where('blob', '=', blob)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Finished previews: from now on the worker removes them if nothing else does. */
export async function reopenPreviews(db: ShardDb, owner: AccountId, file: string): Promise<PreviewRow[]> {
  return db
    .updateTable('preview')
    .set({ state: 'open' })
    .where('owner', '=', owner)
    .where('file', '=', file)
    .where('state', '=', 'finished')
    .returningAll()
    .execute();
}

export async function listAfter(db: ShardDb, owner: string, file: string, newest: number): Promise<PreviewRow[]> {
  return db
    .selectFrom('preview')
    .selectAll()
    .where('owner', '=', owner)
    .where('file', '=', file)
    .where('state', '=', 'finished')
    .orderBy('created_at', 'desc')
    .offset(newest)
    .limit(100)
    .execute();
}

export async function listOpenPreviews(db: ShardDb, before: number, limit: number): Promise<PreviewRow[]> {
  return db
    .selectFrom('preview')
    .selectAll()
    .where('state', '=', 'open')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

export async function deletePreview(db: ShardDb, { owner, file, wish }: Named): Promise<void> {
  await db.deleteFrom('preview').where('owner', '=', owner).where('file', '=', file).where('wish', '=', wish).execute();
}
