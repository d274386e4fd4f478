/**
 * Back to the account key.
 *
 * Promise: the server hands out wraps and opens none. The password before a reset proves itself here and signs nobody in.
 */
import { randomUUID } from 'node:crypto';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { KEPT_FOR_UNLOCKING_MS, RECOVERY_CLOSED_MS } from '@dostar/protocol/contract/unlocking';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { cancelEmailChange } from '../accounts/service.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import { dropFactorsSince } from '../second-factors/service.ts';
import { releaseIdentities } from '../external-identities/service.ts';
import { sendNotice } from '../../operations/email/service.ts';
import { announceNews } from '../../messaging/mailbox/service.ts';
import { deletePasskeysSince } from '../passkeys/service.ts';
import { findShield, isShielded, vouch } from '../recovery/service.ts';
import { endServiceSessions } from '../../../appwrite/accounts/service.ts';
import { announceEndings, endSessionsSince, listSessionsOf } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { findLetterBox } from '../../people/users/service.ts';
import { finishOnce } from './finish-once.ts';
import { bringBack, putAway } from './fresh-start.ts';
import {
  bringPasswordBack,
  bringRecoveryBack,
  closeRecovery,
  findOldRecord,
  findRecovery,
  findWrap,
  setRecoveryAside,
} from './recovery-store.ts';
import { findRecord, insertWrap, listWraps, lockWraps, putWrap } from './store.ts';

const LOGIN_LIVES_MS = 60_000;
const TRIES: Limit = { name: 'old-password', points: 10, perSeconds: 900, scope: 'shared' };
const OLD_PASSWORD = 'old password';

const Login = z.object({ account: AccountId, state: z.string(), expiresAt: z.number() });

export async function getLock(ctx: Context, account: AccountId) {
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
  await ctx.shards.follow(() =>
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
  await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await lockWraps(db, account);
      const before = await findWrap(db, account, 'recovery', 'current');
      if (before && isShielded(await findShield(db, caller), before.createdAt))
        await setRecoveryAside(db, account, before.id, now + KEPT_FOR_UNLOCKING_MS);
      await putWrap(db, account, wrap, now);
    }),
  );
  await tellOwner(ctx, account, 'recovery-key');
}

export async function startOldPassword(ctx: Context, account: AccountId, request: string) {
  await ctx.limits.charge(TRIES, account);
  const record = await ctx.shards.of(account).query((db) => findOldRecord(db, account, ctx.clock.now()));
  if (!record) throw new AppError('not_found');
  const { state, response } = ctx.opaque.startLogin(account, record, request);
  const login = ctx.sealer.seal(OLD_PASSWORD, { account, state, expiresAt: ctx.clock.now() + LOGIN_LIVES_MS });
  return { response, login };
}

interface OldProof {
  login: string;
  finish: string;
}

export async function openOldWrap(ctx: Context, caller: Session, proof: OldProof): Promise<Wrap> {
  const { account } = caller;
  await requireOldPassword(ctx, account, proof);
  await vouch(ctx, caller);
  const wrap = await ctx.shards.of(account).query((db) => findWrap(db, account, 'password', 'stale'));
  if (!wrap) throw new AppError('not_found');
  return { method: wrap.method, params: wrap.params, blob: wrap.blob.toString('base64url') };
}

/** Ends what a reset began that was not the owner's, and every way in that was made since. */
export async function lockAccount(ctx: Context, caller: Session, proof: OldProof): Promise<void> {
  const { account, session } = caller;
  await requireOldPassword(ctx, account, proof);
  const sessions = await listSessionsOf(ctx, account);
  const { resetAt, ended, raised } = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, async (db) => {
      const recovery = await findRecovery(db, account);
      const isOlder = sessions.some(({ id, createdAt }) => id === session && createdAt < (recovery?.resetAt ?? 0));
      if (!recovery || !isOlder) throw new AppError('forbidden');
      const endings = await endSessionsSince(ctx, db, account, recovery.resetAt);
      const list = await bringBack(ctx, db, account);
      // After the other wraps: those that they take the place of are deleted.
      await bringPasswordBack(db, account);
      await bringRecoveryBack(db, account);
      await deletePasskeysSince(db, account, recovery.resetAt);
      await dropFactorsSince(db, account, recovery.resetAt);
      await closeRecovery(db, account, ctx.clock.now() + RECOVERY_CLOSED_MS);
      return { resetAt: recovery.resetAt, ended: endings, raised: list };
    }),
  );
  announceEndings(ctx, account, ended);
  if (raised) announceDeviceList(ctx, account, raised);
  await releaseIdentities(ctx, account, resetAt);
  await cancelEmailChange(ctx, account);
  await endServiceSessions(ctx, account);
  await tellOwner(ctx, account, 'account-locked');
  announceNews(ctx, account);
}

export async function startFresh(ctx: Context, account: AccountId, wrap: Wrap, passwordSince: number): Promise<void> {
  if (wrap.method !== 'password') throw new AppError('invalid_request');
  const now = ctx.clock.now();
  const raised = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await requirePassword(db, account, passwordSince);
      const list = await putAway(ctx, db, account, now + KEPT_FOR_UNLOCKING_MS);
      await insertWrap(db, account, wrap, now);
      return list;
    }),
  );
  if (raised) announceDeviceList(ctx, account, raised);
  await tellOwner(ctx, account, 'fresh-start');
  announceNews(ctx, account);
}

/** A wrap made under another password than the current one could never be opened with it. */
async function requirePassword(db: ShardDb, account: AccountId, since: number): Promise<void> {
  if ((await findRecord(db, account))?.since !== since) throw new AppError('stale_password');
}

async function requireOldPassword(ctx: Context, account: AccountId, { login, finish }: OldProof): Promise<void> {
  const open = Login.safeParse(ctx.sealer.open(OLD_PASSWORD, login));
  const isMine = open.success && open.data.account === account && open.data.expiresAt >= ctx.clock.now();
  if (!isMine || !ctx.opaque.finishLogin(open.data.state, finish)) throw new AppError('wrong_password');
  if (!(await finishOnce(ctx, account, open.data))) throw new AppError('wrong_password');
  await ctx.limits.refund(TRIES, account);
}

/** Those who share a mailbox, or have lost one, should hear of it too; without a letter box there is nobody to tell. */
async function tellOwner(
  ctx: Context,
  account: AccountId,
  template: 'recovery-key' | 'account-locked' | 'fresh-start',
): Promise<void> {
  const box = await findLetterBox(ctx, account);
  if (!box) return;
  const data = { at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `${template} ${randomUUID()}`, ...box, template, data });
}
