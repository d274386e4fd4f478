import { accountDataKey } from '@dostar/protocol/contract/account-data';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** How many other registers of account data the account has. */
export async function countOtherRegisters(db: ShardDb, owner: AccountId, key: string): Promise<number> {
  const { count } = await db
    .selectFrom('register')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('owner', '=', owner)
    .where('key', 'like', `${accountDataKey('')}%`)
    .where('key', '!=', key)
    .executeTakeFirstOrThrow();
  return Number(count);
}
