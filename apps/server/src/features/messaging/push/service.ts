/** Stores push targets, and sends tests and announcements. The worker sends the pushes about messages (jobs.ts). */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { PushOutcome } from '../../../platform/delivery/push-outcome.ts';
import type { Subscription } from '../../../platform/delivery/web-push.ts';
import { z } from 'zod';
import { writeAnnouncement, writePayload } from './payload.ts';
import type { Announcement } from './payload.ts';
import { canSend, sendPush } from './send.ts';
import { deleteTarget, findTarget, putTarget } from './store.ts';
import type { NewTarget } from './store.ts';

/** A test that arrives later tells the user nothing. */
const TEST_TTL_SECONDS = 60;
const ANNOUNCEMENT_TTL_SECONDS = 7 * 24 * 3_600;

interface Caller {
  account: AccountId;
  device: DeviceId;
}

interface NewSubscription {
  subscription: Subscription;
  tagKey: string;
  locale: Locale;
}

export async function setTarget(ctx: Context, { account, device }: Caller, given: NewSubscription): Promise<void> {
  if (!ctx.webPush) throw new AppError('not_found');
  const { subscription, tagKey, locale } = given;
  const { endpoint: address, p256dh, auth } = subscription;
  if (!ctx.webPush.accepts(subscription)) throw new AppError('invalid_request', { fields: ['endpoint'] });
  await put(ctx, { owner: account, device, kind: 'web', address, p256dh, auth, tag_key: tagKey, locale });
}

interface NewToken {
  token: string;
  tagKey: string;
  locale: Locale;
}

export async function setToken(ctx: Context, { account, device }: Caller, given: NewToken): Promise<void> {
  if (!ctx.fcm) throw new AppError('not_found');
  const { token: address, tagKey, locale } = given;
  await put(ctx, { owner: account, device, kind: 'fcm', address, p256dh: null, auth: null, tag_key: tagKey, locale });
}

async function put(ctx: Context, target: NewTarget): Promise<void> {
  const isHere = await write(ctx, target.owner, (db) => putTarget(db, target, ctx.clock.now()));
  if (!isHere) throw new AppError('unauthenticated');
}

export async function removeTarget(ctx: Context, { account, device }: Caller): Promise<void> {
  await write(ctx, account, (db) => deleteTarget(db, account, device));
}

/** Part of ending a session: its device gets no more pushes. */
export async function dropTarget(db: ShardDb, owner: AccountId, device: DeviceId): Promise<void> {
  await deleteTarget(db, owner, device);
}

/**
 * Throws `not_found` if this device has no push target, its kind of push is off, or the push service reports it gone;
 * `unavailable` if the push service refuses or does not answer.
 */
export async function sendTest(ctx: Context, caller: Caller): Promise<void> {
  const { account, device } = caller;
  const target = await ctx.shards.of(account).query((db) => findTarget(db, account, device));
  if (!target || !canSend(ctx, target)) throw new AppError('not_found');
  const payload = { v: 1, kind: 'test', id: randomUUID(), n: 0, at: 0 } as const;
  const body = writePayload(payload, { locale: target.locale, origin: ctx.origin });
  const push = { body, urgency: 'high', ttlSeconds: TEST_TTL_SECONDS } as const;
  const { kind } = await sendPush(ctx, target, push, 'test');
  if (kind === 'sent') return;
  if (kind !== 'gone') throw new AppError('unavailable');
  await write(ctx, account, (db) => deleteTarget(db, account, device, target.address));
  throw new AppError('not_found');
}

/** A subscription as browsers serialise it (`PushSubscription.toJSON`). */
const WrittenSubscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});

/**
 * Sends to a push target of `/v1`, whose identifier is a subscription as JSON or else a Firebase token. `gone` also if it is
 * neither, or if its kind of push is off.
 */
export async function sendAnnouncement(
  ctx: Context,
  identifier: string,
  announcement: Announcement,
): Promise<PushOutcome['kind']> {
  const target = readIdentifier(identifier);
  if (!canSend(ctx, target)) return 'gone';
  const body = writeAnnouncement(announcement, ctx.origin);
  const push = { body, urgency: 'normal', ttlSeconds: ANNOUNCEMENT_TTL_SECONDS } as const;
  const { endpoint: address, p256dh, auth } = target.subscription;
  return (await sendPush(ctx, { kind: target.kind, address, p256dh, auth }, push, 'announcement')).kind;
}

function readIdentifier(identifier: string): { kind: 'web' | 'fcm'; subscription: Subscription } {
  if (identifier.startsWith('{')) {
    try {
      const { endpoint, keys } = WrittenSubscription.parse(JSON.parse(identifier));
      return { kind: 'web', subscription: { endpoint, ...keys } };
    } catch {
      // Not a subscription: treated as a token.
    }
  }
  return { kind: 'fcm', subscription: { endpoint: identifier, p256dh: '', auth: '' } };
}

async function write<T>(ctx: Context, account: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.withCurrentShard(() => ctx.shards.of(account).write(account, task));
}
