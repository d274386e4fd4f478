/** A blob's rows are on the shard of its id; an account's charges are on the account's shard. */
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';

/** Ids of blobs are spread over the buckets like those of accounts. */
export function shardOfBlob(ctx: Context, blob: BlobId): Shard {
  return ctx.shards.of(blob as string as AccountId);
}

export async function withBlobShard<T>(ctx: Context, blob: BlobId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.withCurrentShard(() => shardOfBlob(ctx, blob).write(blob as string as AccountId, task));
}

export async function withAccountShard<T>(
  ctx: Context,
  account: AccountId,
  task: (db: ShardDb, shard: Shard) => Promise<T>,
): Promise<T> {
  return ctx.shards.withCurrentShard(() => {
    const shard = ctx.shards.of(account);
    return shard.write(account, (db) => task(db, shard));
  });
}
