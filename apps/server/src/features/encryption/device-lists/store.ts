import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface DeviceListRevision {
  epoch: number;
  upTo: number;
  rev: number;
}

export async function bumpRevision(db: ShardDb, owner: AccountId, now: number): Promise<DeviceListRevision> {
  const { rows } = await sql<DeviceListRevision>`
    select epoch, up_to as "upTo", rev from raise_device_list(${owner}, ${now})`.execute(db);
  const [listRevision] = rows;
  if (!listRevision) throw new Error('an account without a mailbox has devices');
  return listRevision;
}

export interface NotifyResult {
  owner: AccountId;
  verdict: 'told' | 'moved' | 'unknown';
  epoch: number;
  upTo: number;
}

export async function recordListChanges(
  db: ShardDb,
  owners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
): Promise<NotifyResult[]> {
  const { rows } = await sql<NotifyResult>`
    select owner, verdict, epoch, up_to as "upTo" from note_device_list(${owners}::uuid[], ${account}, ${kind})`.execute(
    db,
  );
  return rows;
}

export interface PendingListUpdate {
  owner: AccountId;
  rev: number;
}

export async function listPendingListUpdates(db: ShardDb, before: number, limit: number): Promise<PendingListUpdate[]> {
  const rows = await db
    .selectFrom('device_list_owed')
    .select(['owner', 'rev'])
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows as PendingListUpdate[];
}

/** Keeps it if the list has changed again. */
export async function deletePendingListUpdate(db: ShardDb, { owner, rev }: PendingListUpdate): Promise<void> {
  await db.deleteFrom('device_list_owed').where('owner', '=', owner).where('rev', '=', rev).execute();
}
