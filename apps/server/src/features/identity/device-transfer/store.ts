import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export interface NewDeviceTransfer {
  owner: AccountId;
  id: string;
  asker: string;
  client: string;
  commitment: string;
  createdAt: number;
  expiresAt: number;
}

export async function putDeviceTransfer(db: ShardDb, transfer: NewDeviceTransfer): Promise<void> {
  await db.deleteFrom('hand_over').where('owner', '=', transfer.owner).where('asker', '=', transfer.asker).execute();
  await db
    .insertInto('hand_over')
    .values({
      owner: transfer.owner,
      id: transfer.id,
      asker: transfer.asker,
      client: transfer.client,
      state: 'asked',
      commitment: transfer.commitment,
      created_at: transfer.createdAt,
      expires_at: transfer.expiresAt,
    })
    .execute();
}

const COLUMNS = [
  'id',
  'asker',
  'giver',
  'client',
  'state',
  'commitment',
  'asker_key as askerKey',
  'giver_key as giverKey',
  'sealed',
  'created_at as at',
] as const;

export async function findDeviceTransfer(db: ShardDb, owner: AccountId, id: string, now: number) {
  return db
    .selectFrom('hand_over')
    .select(COLUMNS)
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Open requests of other devices. */
export async function listOpenDeviceTransfers(db: ShardDb, owner: AccountId, notBy: string, now: number) {
  return db
    .selectFrom('hand_over')
    .select(COLUMNS)
    .where('owner', '=', owner)
    .where('asker', '!=', notBy)
    .where('state', 'in', ['asked', 'answered', 'revealed'])
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .execute();
}

type State = 'asked' | 'answered' | 'revealed' | 'sealed' | 'refused';

interface StateChange {
  from: State[];
  to: State;
  set: { giver?: string; giver_key?: string; asker_key?: string; sealed?: string };
}

/** False if another device answered first: of two devices that answer at once, one gives the key. */
export async function advanceDeviceTransferRow(
  db: ShardDb,
  owner: AccountId,
  id: string,
  change: StateChange,
): Promise<boolean> {
  const result = await db
    .updateTable('hand_over')
    .set({ ...change.set, state: change.to })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('state', 'in', change.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteExpiredDeviceTransfers(db: ShardDb, now: number): Promise<boolean> {
  return deletePage(db, 'hand_over', sql`expires_at <= ${now}`);
}
