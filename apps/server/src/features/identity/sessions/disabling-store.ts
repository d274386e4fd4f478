import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** A shared lock until the transaction ends. Waits for `lockSignInExclusive`. */
export async function lockSignInShared(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(7037, hashtext(${owner}))`.execute(db);
}

export async function lockSignInExclusive(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7037, hashtext(${owner}))`.execute(db);
}

export async function findDisabled(db: ShardDb, owner: AccountId): Promise<number | undefined> {
  const row = await db.selectFrom('disabled').select('since').where('owner', '=', owner).executeTakeFirst();
  return row?.since;
}

export async function insertDisabled(db: ShardDb, owner: AccountId, since: number): Promise<void> {
  await db
    .insertInto('disabled')
    .values({ owner, since })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .execute();
}

export async function deleteDisabled(db: ShardDb, owner: AccountId): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('disabled').where('owner', '=', owner).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Includes pending and expired sessions. */
export async function listAllSessions(db: ShardDb, owner: AccountId): Promise<string[]> {
  const rows = await db.selectFrom('session').select('id').where('owner', '=', owner).execute();
  return rows.map((row) => row.id);
}
