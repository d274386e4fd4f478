/** Pending changes of the email address. */
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export async function putChange(
  directory: DirectoryDb,
  account: AccountId,
  change: { address: string; createdAt: number; expiresAt: number },
): Promise<void> {
  const row = {
    address: change.address,
    old_at: null,
    new_at: null,
    created_at: change.createdAt,
    expires_at: change.expiresAt,
  };
  await directory
    .insertInto('email_change')
    .values({ account, ...row })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
    .execute();
}

export async function findChange(directory: DirectoryDb, account: AccountId, now: number) {
  return directory
    .selectFrom('email_change')
    .select(['address', 'old_at as oldAt', 'new_at as newAt', 'expires_at as expiresAt'])
    .where('account', '=', account)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Returns the change with this confirmation; undefined if the change under way is to another address. */
export async function confirmChange(
  directory: DirectoryDb,
  { account, address }: { account: AccountId; address: string },
  column: 'old_at' | 'new_at',
  now: number,
) {
  return directory
    .updateTable('email_change')
    .set({ [column]: now })
    .where('account', '=', account)
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .returning(['address', 'old_at as oldAt', 'new_at as newAt'])
    .executeTakeFirst();
}

export async function deleteChangesOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('email_change').where('account', '=', account).execute();
}

export async function deleteExpiredChanges(directory: DirectoryDb, now: number): Promise<void> {
  await directory.deleteFrom('email_change').where('expires_at', '<=', now).execute();
}
