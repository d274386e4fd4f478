import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres.ts';

/** Of `owners`, those that have accepted `peer`. */
export async function listAccepting(db: ShardDb, owners: AccountId[], peer: AccountId): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('contact')
    .select('owner')
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .where('peer', '=', peer)
    .where('state', '=', 'accepted')
    .execute();
  return rows.map((row) => row.owner as AccountId);
}

export async function putContact(
  db: ShardDb,
  owner: AccountId,
  peer: AccountId,
  state: 'accepted' | 'blocked',
): Promise<void> {
  await db
    .insertInto('contact')
    .values({ owner, peer, state })
    .onConflict((conflict) => conflict.columns(['owner', 'peer']).doUpdateSet({ state }))
    .execute();
}
