import type { Privacy } from '@dostar/protocol/contract/privacy';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export async function listPrivacy(db: ShardDb, owners: AccountId[]): Promise<({ owner: AccountId } & Privacy)[]> {
  const rows = await db
    .selectFrom('privacy')
    .select(['owner', 'last_seen as lastSeen', 'writers', 'receipts', 'typing'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  return rows as ({ owner: AccountId } & Privacy)[];
}

export async function putPrivacy(db: ShardDb, owner: AccountId, privacy: Privacy): Promise<void> {
  const { lastSeen, ...same } = privacy;
  const values = { ...same, last_seen: lastSeen };
  await db
    .insertInto('privacy')
    .values({ owner, ...values })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(values))
    .execute();
}
