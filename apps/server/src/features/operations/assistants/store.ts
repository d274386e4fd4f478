import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface AssistantAccount {
  /** Its number in the pool, from 0. */
  index: number;
  account: AccountId;
}

/** Accounts whose sign-up is complete. */
export async function listAssistantAccounts(directory: DirectoryDb): Promise<AssistantAccount[]> {
  const rows = await directory
    .selectFrom('assistant as a')
    .innerJoin('email as e', 'e.account', 'a.account')
    .select(['a.seat as index', 'a.account'])
    .where('e.state', '=', 'whole')
    .orderBy('a.seat')
    .execute();
  return rows as AssistantAccount[];
}

/** Replaces an account of the same number, whose sign-up was not completed. */
export async function putAssistantAccount(
  directory: DirectoryDb,
  { index, account }: AssistantAccount,
  now: number,
): Promise<void> {
  await directory
    .insertInto('assistant')
    .values({ seat: index, account, since: now })
    .onConflict((conflict) => conflict.column('seat').doUpdateSet({ account, since: now }))
    .execute();
}
