/**
 * Restricts sessions that began with a password reset which no older device has confirmed.
 *
 * Promise: for a month, access to the email account alone is not enough to remove devices that may object, what the old
 * password, passkeys or second factors open, or the account itself. A session that has shown an older credential is not
 * restricted (`liftRestriction`, SPEC H7).
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { findUnresolvedReset, hasPriorCredentials, setRestrictionLifted } from './store.ts';

interface Caller {
  account: AccountId;
  session: string;
}

/** A session must not change what is older than this; undefined for an unrestricted session. */
export type RecoveryRestriction = number | undefined;

export async function findRestriction(db: ShardDb, { account, session }: Caller): Promise<RecoveryRestriction> {
  return findUnresolvedReset(db, account, session);
}

/** By `write`, not `query`: a shard that gave the account away has no reset and would allow everything. */
export async function loadRestriction(ctx: Context, caller: Caller): Promise<RecoveryRestriction> {
  return ctx.shards.write(caller.account, (db) => findRestriction(db, caller));
}

export function isRestricted(restriction: RecoveryRestriction, createdAt: number): boolean {
  return restriction !== undefined && createdAt < restriction;
}

/** Throws `forbidden` for something created before the reset. */
export function requireUnrestricted(restriction: RecoveryRestriction, createdAt: number): void {
  if (isRestricted(restriction, createdAt)) throw new AppError('forbidden');
}

/** Throws `forbidden` for every restricted session: for actions that would leave nothing from before the reset. */
export async function requireNoRestriction(ctx: Context, caller: Caller): Promise<void> {
  if ((await loadRestriction(ctx, caller)) !== undefined) throw new AppError('forbidden');
}

/** Throws `forbidden` while a device or passkey from before the reset exists, with which the owner may object. */
export async function requireNoPriorCredentials(ctx: Context, caller: Caller): Promise<void> {
  const hasCredentials = await ctx.shards.write(caller.account, async (db) => {
    const restriction = await findRestriction(db, caller);
    return restriction !== undefined && (await hasPriorCredentials(db, caller.account, restriction));
  });
  if (hasCredentials) throw new AppError('forbidden');
}

/** Lifts the restriction if the session proved, in this transaction, that it has a secret from before the reset. */
export async function liftRestrictionIfOlder(
  db: ShardDb,
  caller: Caller,
  since: number | undefined,
  now: number,
): Promise<void> {
  const restriction = await findRestriction(db, caller);
  if (restriction === undefined || since === undefined || !isRestricted(restriction, since)) return;
  await setRestrictionLifted(db, caller.account, caller.session, now);
}

/** For a session that has shown a credential that access to the email account does not give. */
export async function liftRestriction(ctx: Context, { account, session }: Caller): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.write(account, (db) => setRestrictionLifted(db, account, session, now));
}
