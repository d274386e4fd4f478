import { accountDataKey, MAX_DATA_REGISTERS } from '@dostar/protocol/contract/account-data';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { requireHead, setRegisters } from '../../messaging/mailbox/service.ts';
import { countOtherRegisters } from './store.ts';

/** Stores a register in the caller's own mailbox. Their number is limited, so that one account can't fill a shard. */
export async function putAccountData(ctx: Context, owner: AccountId, name: string, value: Buffer): Promise<void> {
  await requireHead(ctx, owner);
  const key = accountDataKey(name);
  const others = await ctx.shards.of(owner).query((db) => countOtherRegisters(db, owner, key));
  if (others >= MAX_DATA_REGISTERS) throw new AppError('too_large');
  await setRegisters(ctx, [{ owner, key, mark: null, value }]);
}
