import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** The reset that restricts this session; undefined once the reset is undone or the restriction lifted. */
export async function findUnresolvedReset(db: ShardDb, owner: AccountId, session: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('recovery as r')
    .innerJoin('session as s', 's.owner', 'r.owner')
    .select('r.reset_at as resetAt')
    .where('r.owner', '=', owner)
    .where('s.id', '=', session)
    .where('s.vouched_at', 'is', null)
    .whereRef('s.created_at', '>=', 'r.reset_at')
    .where((eb) => eb.or([eb('r.closed_until', 'is', null), eb('r.closed_until', '<', eb.ref('r.reset_at'))]))
    .executeTakeFirst();
  return row?.resetAt;
}

export async function setRestrictionLifted(db: ShardDb, owner: AccountId, session: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ vouched_at: now })
    .where('owner', '=', owner)
    .where('id', '=', session)
    .where('vouched_at', 'is', null)
    .execute();
}

export async function hasPriorCredentials(db: ShardDb, owner: AccountId, moment: number): Promise<boolean> {
  for (const table of ['session', 'passkey'] as const) {
    const row = await db
      .selectFrom(table)
      .select('owner')
      .where('owner', '=', owner)
      .where('created_at', '<', moment)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}
