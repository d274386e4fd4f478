import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

/** False if the name is taken or reserved. */
export async function insertUsername(
  directory: DirectoryDb,
  name: string,
  account: AccountId,
  now: number,
): Promise<boolean> {
  const taken = await directory
    .insertInto('username')
    .values({ name, account, free_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ account, free_at: null })
        .where('username.account', 'is', null)
        .where('username.free_at', '<', now),
    )
    .executeTakeFirst();
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Neither taken nor reserved. */
export async function isUsernameFree(directory: DirectoryDb, name: string, now: number): Promise<boolean> {
  const row = await directory
    .selectFrom('username')
    .select(['account', 'free_at as freeAt'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined || (row.account === null && row.freeAt !== null && row.freeAt < now);
}

export async function findUsernameOf(directory: DirectoryDb, account: AccountId): Promise<string | undefined> {
  const row = await directory.selectFrom('username').select('name').where('account', '=', account).executeTakeFirst();
  return row?.name;
}

export async function findAccountNamed(directory: DirectoryDb, name: string): Promise<AccountId | undefined> {
  const row = await directory.selectFrom('username').select('account').where('name', '=', name).executeTakeFirst();
  return (row?.account ?? undefined) as AccountId | undefined;
}

/** Until the transaction ends, other changes of this account's name wait. */
export async function lockUsernameOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7040, hashtext(${account}))`.execute(directory);
}

export async function freeUsername(directory: DirectoryDb, account: AccountId, freeAt: number): Promise<void> {
  await directory
    .updateTable('username')
    .set({ account: null, free_at: freeAt })
    .where('account', '=', account)
    .execute();
}
