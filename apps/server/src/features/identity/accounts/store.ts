/** The directory's map from email addresses to accounts. */
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export async function findAccountByEmail(directory: DirectoryDb, address: string) {
  const row = await directory
    .selectFrom('email')
    .select(['account', 'state', 'verified_at as verifiedAt', 'since'])
    .where('address', '=', address)
    .executeTakeFirst();
  return row && { ...row, account: row.account as AccountId };
}

export async function findEmailOf(directory: DirectoryDb, account: AccountId) {
  return directory
    .selectFrom('email')
    .select(['address', 'state', 'verified_at as verifiedAt'])
    .where('account', '=', account)
    .executeTakeFirst();
}

/** False if the address belongs to another account. */
export async function claimEmail(
  directory: DirectoryDb,
  address: string,
  account: AccountId,
  now: number,
): Promise<boolean> {
  await directory
    .insertInto('email')
    .values({ address, account, state: 'half', verified_at: null, since: now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .execute();
  return (await findAccountByEmail(directory, address))?.account === account;
}

export async function setEmailVerified(directory: DirectoryDb, account: AccountId, at: number): Promise<void> {
  await directory.updateTable('email').set({ verified_at: at }).where('account', '=', account).execute();
}

/** Returns the state of the sign-up and locks it until the transaction ends; undefined for an account without an address. */
export async function lockEmailOf(directory: DirectoryDb, account: AccountId) {
  const row = await directory
    .selectFrom('email')
    .select('state')
    .where('account', '=', account)
    .forUpdate()
    .executeTakeFirst();
  return row?.state;
}

export async function setEmailComplete(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.updateTable('email').set({ state: 'whole' }).where('account', '=', account).execute();
}

export async function deleteEmailsOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('email').where('account', '=', account).execute();
}

/** Accounts whose sign-up was begun before a time and not completed. */
export async function listIncompleteAccounts(
  directory: DirectoryDb,
  before: number,
  limit: number,
): Promise<AccountId[]> {
  const rows = await directory
    .selectFrom('email')
    .select('account')
    .where('state', '=', 'half')
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map((row) => row.account as AccountId);
}

/** Throws a unique violation if another account has the address. */
export async function replaceEmail(
  directory: DirectoryDb,
  account: AccountId,
  address: string,
  now: number,
): Promise<void> {
  await directory
    .updateTable('email')
    .set({ address, verified_at: now })
    .where('account', '=', account)
    .where('state', '=', 'whole')
    .execute();
}
