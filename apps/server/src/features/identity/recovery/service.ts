/**
 * A reset by mail that nobody has answered for.
 *
 * Promise: for a month, whoever came by owning the mailbox can't take away what was there before them: neither the devices
 * that may object, nor what the old password, a passkey or a second factor of before opens, nor the account itself. A
 * session that has shown something of before is free of this (`vouch`, SPEC H7).
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { findOpenReset, hasAnythingOfBefore, setVouched } from './store.ts';

interface Caller {
  account: AccountId;
  session: string;
}

/** What is older than this is out of the session's hands; undefined for a session that may do everything. */
export type Shield = number | undefined;

export async function findShield(db: ShardDb, { account, session }: Caller): Promise<Shield> {
  return findOpenReset(db, account, session);
}

export async function findShieldOf(ctx: Context, caller: Caller): Promise<Shield> {
  return held(ctx, caller, (db) => findShield(db, caller));
}

export function isShielded(shield: Shield, createdAt: number): boolean {
  return shield !== undefined && createdAt < shield;
}

/** Throws `forbidden` for what was there before the reset. */
export function requireUnshielded(shield: Shield, createdAt: number): void {
  if (isShielded(shield, createdAt)) throw new AppError('forbidden');
}

/** Throws `forbidden` whatever it is about: for what leaves nothing of before. */
export async function requireNoShield(ctx: Context, caller: Caller): Promise<void> {
  if ((await findShieldOf(ctx, caller)) !== undefined) throw new AppError('forbidden');
}

/** Throws `forbidden` while a device or a passkey of before is left, by which its owner may object. */
export async function requireNobodyOfBefore(ctx: Context, caller: Caller): Promise<void> {
  const isSomebody = await held(ctx, caller, async (db) => {
    const shield = await findShield(db, caller);
    return shield !== undefined && (await hasAnythingOfBefore(db, caller.account, shield));
  });
  if (isSomebody) throw new AppError('forbidden');
}

/** The session has shown something, in this transaction, that the account has had since then. */
export async function vouchFor(db: ShardDb, caller: Caller, since: number | undefined, now: number): Promise<void> {
  const shield = await findShield(db, caller);
  if (shield === undefined || since === undefined || !isShielded(shield, since)) return;
  await setVouched(db, caller.account, caller.session, now);
}

/** The session has shown something that whoever owns no more than the mailbox does not have. */
export async function vouch(ctx: Context, { account, session }: Caller): Promise<void> {
  const now = ctx.clock.now();
  await held(ctx, { account, session }, (db) => setVouched(db, account, session, now));
}

/** Holds the bucket: a shard that has given the account away knows of no reset, and would let everything pass. */
async function held<T>(ctx: Context, { account }: Caller, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.follow(() => ctx.shards.of(account).write(account, task));
}
