import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface RaisedList {
  epoch: number;
  upTo: number;
  rev: number;
}

export async function raiseList(db: ShardDb, owner: AccountId, now: number): Promise<RaisedList> {
  const { rows } = await sql<RaisedList>`
    select epoch, up_to as "upTo", rev from raise_device_list(${owner}, ${now})`.execute(db);
  const [raised] = rows;
  if (!raised) throw new Error('an account without a mailbox has devices');
  return raised;
}

export interface Told {
  owner: AccountId;
  verdict: 'told' | 'moved' | 'unknown';
  epoch: number;
  upTo: number;
}

export async function noteLists(
  db: ShardDb,
  owners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select owner, verdict, epoch, up_to as "upTo" from note_device_list(${owners}::uuid[], ${account}, ${kind})`.execute(
    db,
  );
  return rows;
}

export interface OwedNews {
  owner: AccountId;
  rev: number;
}

export async function listOwedNews(db: ShardDb, before: number, limit: number): Promise<OwedNews[]> {
  const rows = await db
    .selectFrom('device_list_owed')
    .select(['owner', 'rev'])
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows as OwedNews[];
}

/** Unless the list has changed again meanwhile. */
export async function deleteOwedNews(db: ShardDb, { owner, rev }: OwedNews): Promise<void> {
  await db.deleteFrom('device_list_owed').where('owner', '=', owner).where('rev', '=', rev).execute();
}
