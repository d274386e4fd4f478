/**
 * Limits on the files of all accounts together: `BLOB_QUOTA_TOTAL_BYTES`, and the free space of the disk of files.
 *
 * Each shard counts the charges of its accounts in the transaction that changes them (migrations/shard/0050). The sum of
 * the shards is read after the charge of a new blob is committed, so of two uploads that compete for the last bytes the
 * later sees the other: together they never exceed the limit. Both may be refused.
 */
import type { FullStorage } from '@dostar/protocol/contract/blobs';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { readStorageTotal, recountStorage } from './store.ts';

/** For shards that don't answer: nothing is charged there until they do. */
const lastRead = new WeakMap<Shard, number>();

export function insufficientStorage(full: FullStorage): AppError {
  return new AppError('insufficient_storage', { full });
}

/** The bytes that all accounts are charged for. */
export async function sumStorage(ctx: Pick<Context, 'shards'>): Promise<number> {
  const totals = await Promise.all(ctx.shards.all().map(readTotal));
  return totals.reduce((all, one) => all + one, 0);
}

async function readTotal(shard: Shard): Promise<number> {
  try {
    const bytes = await shard.query(readStorageTotal);
    lastRead.set(shard, bytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
    return lastRead.get(shard) ?? 0;
  }
}

export async function exceedsTotal(ctx: Context): Promise<boolean> {
  const limit = ctx.policy.blobQuotaTotalBytes;
  return limit !== undefined && (await sumStorage(ctx)) > limit;
}

/** A full disk would stop more than uploads. */
export async function requireFreeDisk(ctx: Context): Promise<void> {
  const free = await ctx.blobs.freeRatio();
  if (free !== undefined && free < ctx.policy.blobMinFreeRatio) throw insufficientStorage('server');
}

/** Corrects the totals if they differ from the charges: after a bug or a manual change. */
export async function reconcileStorage(ctx: Context): Promise<void> {
  for (const shard of ctx.shards.reachable()) {
    const bytes = await shard.maintain(recountStorage);
    if (bytes !== 0) ctx.log.warn({ shard: shard.id, bytes }, 'total of stored files corrected');
  }
}
