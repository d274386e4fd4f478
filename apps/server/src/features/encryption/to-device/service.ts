/**
 * To-device events, queued until the device confirms them.
 *
 * Promise: an event is queued before the response, once per `txn` and account despite retries (SPEC D1). It is deleted only
 * when the device returns with a token that covers it (SPEC D4).
 */
import { MAX_TO_DEVICE_BYTES, MAX_TO_DEVICE_MESSAGES } from '@dostar/protocol/contract/to-device';
import type { sendToDevice as sendContract } from '@dostar/protocol/contract/to-device';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, userOf } from '@dostar/protocol/matrix-ids';
import type { MatrixUser } from '@dostar/protocol/matrix-ids';
import { MAX_TO_DEVICE_EVENTS } from '@dostar/protocol/realtime';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { listReachable } from '../../people/contacts/service.ts';
import type { KeyCaller } from '../device-keys/service.ts';
import { requireHead, publishToDevice } from '../../messaging/mailbox/service.ts';
import { deleteEvents, queueEvents, readPendingEvents } from './store.ts';
import type { AddressedEvent, ToDeviceTransaction, PendingEvents } from './store.ts';

export type { PendingEvents } from './store.ts';

/** A frame must stay small enough for a slow phone. */
const PAGE = { events: MAX_TO_DEVICE_EVENTS, bytes: 256 * 1024 };

type Send = z.output<(typeof sendContract)['body']>;

/** Drops events to accounts that the sender can't reach: they look like accounts without devices. */
export async function sendToDevice(ctx: Context, caller: KeyCaller, send: Send): Promise<void> {
  const { account: sender, device } = caller;
  const all = listEvents(sender, send);
  const visible = new Set(await listReachable(ctx, sender, [...new Set(all.map((event) => event.owner))]));
  const transaction: ToDeviceTransaction = { sender, device, txn: send.txn, now: ctx.clock.now() };
  let left = all.filter((event) => visible.has(event.owner));
  await ctx.shards.withCurrentShard(async () => {
    for (const [shard, events] of ctx.shards.group(left, (event) => event.owner)) {
      const absent = await queueOnShard(ctx, shard, events, transaction);
      left = left.filter((event) => !events.includes(event) || absent.includes(event.owner));
      for (const owner of absent) throw new WrongShardError('moved', owner, shard.id);
    }
  });
}

function listEvents(sender: AccountId, { type, messages }: Send): AddressedEvent[] {
  const events: AddressedEvent[] = [];
  for (const [user, byDevice] of Object.entries(messages)) {
    for (const [device, content] of Object.entries(byDevice)) {
      const event = JSON.stringify({ sender: userOf(sender), type, content });
      if (Buffer.byteLength(event) > MAX_TO_DEVICE_BYTES) throw new AppError('too_large');
      events.push({ owner: accountOf(user as MatrixUser), device, event });
    }
  }
  if (events.length > MAX_TO_DEVICE_MESSAGES) throw new AppError('too_large');
  return events;
}

/** Returns the accounts that are moving or have moved. Their events still have to be queued on another shard. */
async function queueOnShard(
  ctx: Context,
  shard: Shard,
  events: AddressedEvent[],
  transaction: ToDeviceTransaction,
): Promise<AccountId[]> {
  const answers = await shard.query((db) => queueEvents(db, events, transaction));
  // Also for a repeat: the hint of the first request may have been lost together with its response.
  for (const answer of answers) {
    if (answer.verdict === 'queued' || answer.verdict === 'duplicate') publishToDevice(ctx, answer.owner, answer);
  }
  if (answers.some((answer) => answer.verdict === 'unknown')) await ctx.placement.reload();
  return answers
    .filter(({ owner, verdict }) => verdict === 'moved' || (verdict === 'unknown' && ctx.shards.of(owner) !== shard))
    .map((answer) => answer.owner);
}

/** The next page for a device. Checks that the shard still has the account. */
export async function listPendingEvents(
  ctx: Context,
  owner: AccountId,
  device: string,
  since: number,
): Promise<PendingEvents> {
  return ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(owner);
    const pending = await shard.query((db) => readPendingEvents(db, owner, device, since, PAGE));
    if (!pending || pending.isFrozen) await requireHead(ctx, owner);
    if (!pending || ctx.shards.of(owner) !== shard) throw new WrongShardError('moved', owner, shard.id);
    return pending;
  });
}

/** If the account moves at the same time, the deletion may be lost; the next token repeats it. */
export async function deleteDelivered(ctx: Context, owner: AccountId, device: string, upTo: number): Promise<void> {
  await ctx.shards.of(owner).query((db) => deleteEvents(db, owner, device, upTo));
}
