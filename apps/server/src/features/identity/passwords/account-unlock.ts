/**
 * Back to the account key.
 *
 * Promise: the server hands out wraps and opens none. The password before a reset proves itself here and signs nobody in.
 */
import { randomUUID } from 'node:crypto';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { RECOVERY_RETENTION_MS, RECOVERY_LOCKOUT_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { cancelEmailChange, releaseIdentities } from '../accounts/service.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import { dropFactorsSince } from '../second-factors/service.ts';
import { sendNotice } from '../../operations/email/service.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { deletePasskeysSince } from '../passkeys/service.ts';
import { findRestriction, isRestricted, liftRestriction } from '../recovery/service.ts';
import { announceRevokedSessions, revokeSessionsSince, listSessionsOf } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { findEmailRecipient } from '../../people/users/service.ts';
import { consumeLoginState } from './single-use-login.ts';
import { restoreAccountKey, archiveAccountKey } from '../use-cases/account-key-archive.ts';
import {
  restorePassword,
  restoreRecoveryWrap,
  blockRecovery,
  findOldRecord,
  findRecovery,
  findWrap,
  archiveRecoveryWrap,
} from './reset-store.ts';
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
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await requirePassword(db, account, passwordSince);
      if (wrap.method !== 'password' || (await findWrap(db, account, 'password', 'current')))
        throw new AppError('stale_password');
      await insertWrap(db, account, wrap, ctx.clock.now());
    }),
  );
}

/** By a session that came by a reset, the recovery key of before is only put aside: the owner may still object. */
export async function setRecoveryWrap(ctx: Context, caller: Session, wrap: Wrap): Promise<void> {
  const { account } = caller;
  if (wrap.method !== 'recovery') throw new AppError('invalid_request');
  const now = ctx.clock.now();
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await lockWraps(db, account);
      const before = await findWrap(db, account, 'recovery', 'current');
      if (before && isRestricted(await findRestriction(db, caller), before.createdAt))
        await archiveRecoveryWrap(db, account, before.id, now + RECOVERY_RETENTION_MS);
      await putWrap(db, account, wrap, now);
    }),
  );
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

interface OldPasswordLogin {
  login: string;
  finish: string;
}

export async function openOldPasswordWrap(ctx: Context, caller: Session, oldLogin: OldPasswordLogin): Promise<Wrap> {
  const { account } = caller;
  await requireOldPassword(ctx, account, oldLogin);
  await liftRestriction(ctx, caller);
  const wrap = await ctx.shards.of(account).query((db) => findWrap(db, account, 'password', 'stale'));
  if (!wrap) throw new AppError('not_found');
  return { method: wrap.method, params: wrap.params, blob: wrap.blob.toString('base64url') };
}

/** Ends what a reset began that was not the owner's, and every way in that was made since. */
export async function lockAccount(ctx: Context, caller: Session, oldLogin: OldPasswordLogin): Promise<void> {
  const { account, session } = caller;
  await requireOldPassword(ctx, account, oldLogin);
  const sessions = await listSessionsOf(ctx, account);
  const { resetAt, revoked, listRevision } = await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      const recovery = await findRecovery(db, account);
      const isOlder = sessions.some(({ id, createdAt }) => id === session && createdAt < (recovery?.resetAt ?? 0));
      if (!recovery || !isOlder) throw new AppError('forbidden');
      const revokedSessions = await revokeSessionsSince(ctx, db, account, recovery.resetAt);
      const list = await restoreAccountKey(ctx, db, account);
      // After the other wraps: those that they take the place of are deleted.
      await restorePassword(db, account);
      await restoreRecoveryWrap(db, account);
      await deletePasskeysSince(db, account, recovery.resetAt);
      await dropFactorsSince(db, account, recovery.resetAt);
      await blockRecovery(db, account, ctx.clock.now() + RECOVERY_LOCKOUT_MS);
      return { resetAt: recovery.resetAt, revoked: revokedSessions, listRevision: list };
    }),
  );
  announceRevokedSessions(ctx, account, revoked);
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  await releaseIdentities(ctx, account, resetAt);
  await cancelEmailChange(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onSessionsRevoked(ctx, account);
  await notifyOwner(ctx, account, 'account-locked');
  publishAlert(ctx, account);
}

export async function startFresh(ctx: Context, account: AccountId, wrap: Wrap, passwordSince: number): Promise<void> {
  if (wrap.method !== 'password') throw new AppError('invalid_request');
  const now = ctx.clock.now();
  const listRevision = await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await requirePassword(db, account, passwordSince);
      const list = await archiveAccountKey(ctx, db, account, now + RECOVERY_RETENTION_MS);
      await insertWrap(db, account, wrap, now);
      return list;
    }),
  );
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  await notifyOwner(ctx, account, 'fresh-start');
  publishAlert(ctx, account);
}

/** A wrap made under another password than the current one could never be opened with it. */
async function requirePassword(db: ShardDb, account: AccountId, since: number): Promise<void> {
  if ((await findRecord(db, account))?.since !== since) throw new AppError('stale_password');
}

async function requireOldPassword(
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

/** Those who share a mailbox, or have lost one, should hear of it too; without a letter box there is nobody to tell. */
async function notifyOwner(
  ctx: Context,
  account: AccountId,
  template: 'recovery-key' | 'account-locked' | 'fresh-start',
): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account);
  if (!recipient) return;
  const data = { at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `${template} ${randomUUID()}`, ...recipient, template, data });
}
