import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export async function findAlertsSeenAt(db: ShardDb, owner: AccountId, session: string): Promise<number> {
  const row = await db
    .selectFrom('session')
    .select('noticed_at as noticedAt')
    .where('owner', '=', owner)
    .where('id', '=', session)
    .executeTakeFirst();
  return row?.noticedAt ?? 0;
}

export async function setAlertsSeenAt(db: ShardDb, owner: AccountId, session: string, at: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ noticed_at: at })
    .where('owner', '=', owner)
    .where('id', '=', session)
    .where('noticed_at', '<', at)
    .execute();
}
