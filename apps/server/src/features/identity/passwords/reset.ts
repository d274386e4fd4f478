/** A password reset on the account's shard. What the old password decrypted is archived for a month. */
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import {
  archivePassword,
  blockRecovery,
  findRecovery,
  putReset,
  restorePassword,
  restoreRecoveryWrap,
} from './reset-store.ts';
import { findRecord, putRecord } from './store.ts';
import type { OpaqueRecord } from './store.ts';

/** The last reset by email, if it was less than a month ago. */
export async function findReset(ctx: Context, account: AccountId) {
  return ctx.shards.of(account).query((db) => findRecovery(db, account));
}

/** Whether the account has a password, and whether its owner has locked it against resets. */
export async function findResetState(ctx: Context, account: AccountId) {
  const { record, recovery } = await ctx.shards.of(account).query(async (db) => ({
    record: await findRecord(db, account),
    recovery: await findRecovery(db, account),
  }));
  return { hasPassword: record !== undefined, isLocked: (recovery?.closedUntil ?? 0) > ctx.clock.now() };
}

export async function replaceResetPassword(ctx: Context, account: AccountId, registered: OpaqueRecord): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.write(account, async (db) => {
    const recovery = await findRecovery(db, account);
    if ((recovery?.closedUntil ?? 0) > now) throw new AppError('link_expired');
    const isFirst = await archivePassword(db, account, now, now + RECOVERY_RETENTION_MS);
    await putRecord(db, account, registered, now);
    await putReset(db, account, now, isFirst);
  });
}

/** Restores the password and recovery key from before the reset, and refuses resets until `lockedUntil`. */
export async function undoReset(db: ShardDb, account: AccountId, lockedUntil: number): Promise<void> {
  await restorePassword(db, account);
  await restoreRecoveryWrap(db, account);
  await blockRecovery(db, account, lockedUntil);
}
