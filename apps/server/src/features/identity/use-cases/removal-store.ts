/** Account removals that have begun and not ended. */
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

/** Restarting resets the time, so the worker leaves a removal to the process that is doing it. */
export async function putPendingRemoval(directory: DirectoryDb, account: AccountId, now: number): Promise<void> {
  await directory
    .insertInto('departing')
    .values({ account, since: now })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ since: now }))
    .execute();
}

export async function isRemovalPending(directory: DirectoryDb, account: AccountId): Promise<boolean> {
  const row = await directory
    .selectFrom('departing')
    .select('account')
    .where('account', '=', account)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listPendingRemovals(directory: DirectoryDb, before: number, limit: number): Promise<AccountId[]> {
  const rows = await directory
    .selectFrom('departing')
    .select('account')
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map((row) => row.account as AccountId);
}

export async function deletePendingRemoval(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('departing').where('account', '=', account).execute();
}
