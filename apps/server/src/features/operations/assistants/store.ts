import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface AssistantAccount {
  seat: number;
  account: AccountId;
}

/** Those whose sign-up came to its end. */
export async function listAssistantAccounts(directory: DirectoryDb): Promise<AssistantAccount[]> {
  const rows = await directory
    .selectFrom('assistant as a')
    .innerJoin('email as e', 'e.account', 'a.account')
    .select(['a.seat', 'a.account'])
    .where('e.state', '=', 'whole')
    .orderBy('a.seat')
    .execute();
  return rows as AssistantAccount[];
}

/** Takes the place of an account that never came to be. */
export async function putAssistantAccount(
  directory: DirectoryDb,
  { seat, account }: AssistantAccount,
  now: number,
): Promise<void> {
  await directory
    .insertInto('assistant')
    .values({ seat, account, since: now })
    .onConflict((conflict) => conflict.column('seat').doUpdateSet({ account, since: now }))
    .execute();
}
