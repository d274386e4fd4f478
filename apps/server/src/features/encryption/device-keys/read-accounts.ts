/** Reads rows of many accounts from their current shards, with one statement per shard. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';

interface Row {
  owner: AccountId;
  /** Its mailbox is frozen: being moved, or moved already. */
  isFrozen: boolean;
}

/** Leaves out accounts that do not exist. */
export async function readAccounts<R extends Row>(
  ctx: Context,
  accounts: AccountId[],
  read: (db: ShardDb, owners: AccountId[]) => Promise<R[]>,
): Promise<Map<AccountId, R>> {
  const found = new Map<AccountId, R>();
  await ctx.shards.withCurrentShard(async () => {
    const groups = [...ctx.shards.group(accounts, (account) => account)];
    await Promise.all(groups.map(([shard, owners]) => readShard(shard, owners)));
  });
  return found;

  async function readShard(shard: Shard, owners: AccountId[]): Promise<void> {
    for (const row of await shard.query((db) => read(db, owners))) found.set(row.owner, row);
    const doubtful = owners.filter((owner) => found.get(owner)?.isFrozen !== false);
    if (doubtful.length === 0) return;
    // A move updates the directory before it deletes rows, so the placement after the read says whether the read was valid.
    await ctx.placement.reload();
    for (const owner of doubtful) {
      if (ctx.shards.of(owner) !== shard) throw new WrongShardError('moved', owner, shard.id);
    }
  }
}
