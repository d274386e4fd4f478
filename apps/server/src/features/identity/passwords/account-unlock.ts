/**
 * Unlocking the account key: stores its encrypted copies (wraps) and returns them to the owner's browsers.
 *
 * Promise: the server stores wraps and opens none. The password from before a reset is checked here and can't sign in.
 */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { findRestriction, isRestricted, liftRestriction } from '../recovery/service.ts';
import { notifyOwner } from '../security-emails/service.ts';
import type { Caller } from '../sessions/service.ts';
import { archiveRecoveryWrap, findOldRecord, findWrap } from './reset-store.ts';
import { consumeLoginState } from './single-use-login.ts';
import { findRecord, insertWrap, listWraps, lockWraps, putWrap } from './store.ts';

const LOGIN_LIFETIME_MS = 60_000;
const ATTEMPTS: RateLimit = { name: 'old-password', points: 10, perSeconds: 900, scope: 'shared' };
const OLD_PASSWORD = 'old password';

const Login = z.object({ account: AccountId, state: z.string(), expiresAt: z.number() });

export async function getUnlockOptions(ctx: Context, account: AccountId) {
  return ctx.shards.of(account).query(async (db) => ({
    wraps: await listWraps(db, account),
    passwordSince: (await findRecord(db, account))?.since ?? null,
    oldPasswordUntil: (await findOldRecord(db, account, ctx.clock.now()))?.until ?? null,
  }));
}

export async function addPasswordWrap(
  ctx: Context,
  account: AccountId,
  wrap: Wrap,
  passwordSince: number,
): Promise<void> {
  await ctx.shards.write(account, async (db) => {
    await requireCurrentRecord(db, account, passwordSince);
    if (wrap.method !== 'password' || (await findWrap(db, account, 'password', 'current')))
      throw new AppError('stale_password');
    await insertWrap(db, account, wrap, ctx.clock.now());
  });
}

/** A restricted session only archives the previous recovery key, so the owner can undo the change. */
export async function setRecoveryWrap(ctx: Context, caller: Caller, wrap: Wrap): Promise<void> {
  const { account } = caller;
  if (wrap.method !== 'recovery') throw new AppError('invalid_request');
  const now = ctx.clock.now();
  await ctx.shards.write(account, async (db) => {
    await lockWraps(db, account);
    const before = await findWrap(db, account, 'recovery', 'current');
    if (before && isRestricted(await findRestriction(db, caller), before.createdAt))
      await archiveRecoveryWrap(db, account, before.id, now + RECOVERY_RETENTION_MS);
    await putWrap(db, account, wrap, now);
  });
  await notifyOwner(ctx, account, 'recovery-key');
}

export async function startOldPasswordCheck(ctx: Context, account: AccountId, request: string) {
  await ctx.limits.charge(ATTEMPTS, account);
  const record = await ctx.shards.of(account).query((db) => findOldRecord(db, account, ctx.clock.now()));
  if (!record) throw new AppError('not_found');
  const { state, response } = ctx.opaque.startLogin(account, record, request);
  const login = ctx.sealer.seal(OLD_PASSWORD, { account, state, expiresAt: ctx.clock.now() + LOGIN_LIFETIME_MS });
  return { response, login };
}

export interface OldPasswordLogin {
  login: string;
  finish: string;
}

export async function openOldPasswordWrap(ctx: Context, caller: Caller, oldLogin: OldPasswordLogin): Promise<Wrap> {
  const { account } = caller;
  await requireOldPassword(ctx, account, oldLogin);
  await liftRestriction(ctx, caller);
  const wrap = await ctx.shards.of(account).query((db) => findWrap(db, account, 'password', 'stale'));
  if (!wrap) throw new AppError('not_found');
  return { method: wrap.method, params: wrap.params, blob: wrap.blob.toString('base64url') };
}

/** Throws unless the password of `since` is still the current one, which alone can open a wrap made under it. */
export async function requireCurrentRecord(db: ShardDb, account: AccountId, since: number): Promise<void> {
  if ((await findRecord(db, account))?.since !== since) throw new AppError('stale_password');
}

export async function requireOldPassword(
  ctx: Context,
  account: AccountId,
  { login, finish }: OldPasswordLogin,
): Promise<void> {
  const open = Login.safeParse(ctx.sealer.open(OLD_PASSWORD, login));
  const isMine = open.success && open.data.account === account && open.data.expiresAt >= ctx.clock.now();
  if (!isMine || !ctx.opaque.finishLogin(open.data.state, finish)) throw new AppError('wrong_password');
  if (!(await consumeLoginState(ctx, account, open.data))) throw new AppError('wrong_password');
  await ctx.limits.refund(ATTEMPTS, account);
}
