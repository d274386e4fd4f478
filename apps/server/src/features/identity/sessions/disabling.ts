/**
 * Accounts that an operator has disabled.
 *
 * Promise: once `disableAccount` has resolved, the account has no session, and none starts until it is enabled. Nothing is
 * deleted: messages to the account are stored, and its owner finds everything after it is enabled again.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import {
  deleteDisabled,
  findDisabled,
  lockSignInShared,
  insertDisabled,
  listAllSessions,
  lockSignInExclusive,
} from './disabling-store.ts';
import { announceRevokedSessions, revokeSessions } from './session-revocation.ts';

/** Part of starting a session. `disableAccount` waits for sign-ins that hold this lock. */
export async function requireEnabled(db: ShardDb, account: AccountId): Promise<void> {
  await lockSignInShared(db, account);
  if ((await findDisabled(db, account)) !== undefined) throw new AppError('account_disabled');
}

/** Signs the account out everywhere and refuses sign-ins. Idempotent. */
export async function disableAccount(ctx: Context, account: AccountId): Promise<number> {
  await requireHead(ctx, account);
  const revoked = await ctx.shards.write(account, async (db) => {
    await lockSignInExclusive(db, account);
    await insertDisabled(db, account, ctx.clock.now());
    return revokeSessions(ctx, db, account, await listAllSessions(db, account));
  });
  announceRevokedSessions(ctx, account, revoked);
  return revoked.length;
}

/** False if it was not disabled. */
export async function enableAccount(ctx: Context, account: AccountId): Promise<boolean> {
  await requireHead(ctx, account);
  return ctx.shards.write(account, (db) => deleteDisabled(db, account));
}

/** When it was disabled; undefined for an enabled account. */
export async function findDisabledAt(ctx: Context, account: AccountId): Promise<number | undefined> {
  return ctx.shards.of(account).query((db) => findDisabled(db, account));
}
