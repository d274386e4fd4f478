/**
 * Announces that an account's devices or identity changed.
 *
 * Promise: the account's device revision grows in the transaction of the change, so no message encrypted for the old list
 * is accepted after it (SPEC S6). Contacts are notified afterwards: the pending announcement is stored in the same transaction
 * and sent by this process, or by the worker if this process dies. It may come late or twice, but it comes (SPEC D5).
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { listKeyWatchers } from '../../people/contacts/service.ts';
import { publishToDevice } from '../../messaging/mailbox/service.ts';
import { deletePendingListUpdate, recordListChanges, bumpRevision } from './store.ts';
import type { PendingListUpdate, DeviceListRevision } from './store.ts';

export type { DeviceListRevision } from './store.ts';

/** Mailbox rows locked at once. */
const NOTIFY_BATCH = 200;

/** Call it in the transaction of the change, before any other row of the account's key material is locked. */
export async function bumpDeviceListRevision(ctx: Context, db: ShardDb, owner: AccountId): Promise<DeviceListRevision> {
  return bumpRevision(db, owner, ctx.clock.now());
}

/** After the commit: own devices at once, contacts right after. Fire-and-forget: callers need not await. */
export function announceDeviceList(ctx: Context, owner: AccountId, listRevision: DeviceListRevision): void {
  publishToDevice(ctx, owner, listRevision);
  deliverListUpdate(ctx, { owner, rev: listRevision.rev }).catch((error: unknown) => {
    ctx.log.debug({ err: error }, 'contacts not notified of a device list yet');
  });
}

/** Notifies the contacts of an account. Idempotent. */
export async function deliverListUpdate(ctx: Context, update: PendingListUpdate): Promise<void> {
  const { owner } = update;
  const listeners = await listKeyWatchers(ctx, owner);
  await notifyDeviceList(ctx, listeners, owner, 'changed');
  await ctx.shards.write(owner, (db) => deletePendingListUpdate(db, update));
}

export async function notifyDeviceList(
  ctx: Context,
  listeners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
): Promise<void> {
  for (let from = 0; from < listeners.length; from += NOTIFY_BATCH) {
    const some = new Set(listeners.slice(from, from + NOTIFY_BATCH));
    await ctx.shards.withCurrentShard(async () => {
      for (const [shard, owners] of ctx.shards.group(some, (listener) => listener)) {
        await notifyOnShard(ctx, shard, owners, account, kind, (notified) => some.delete(notified));
      }
    });
  }
}

async function notifyOnShard(
  ctx: Context,
  shard: Shard,
  owners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
  onNotified: (owner: AccountId) => void,
): Promise<void> {
  const answers = await shard.query((db) => recordListChanges(db, owners, account, kind));
  for (const answer of answers) {
    if (answer.verdict !== 'told') continue;
    onNotified(answer.owner);
    publishToDevice(ctx, answer.owner, answer);
  }
  const absent = answers.filter((answer) => answer.verdict !== 'told');
  // An unknown account may have moved: a shard that gave it away does not know it either.
  if (absent.some((answer) => answer.verdict === 'unknown')) await ctx.placement.reload();
  for (const { owner, verdict } of absent) {
    if (verdict === 'moved' || ctx.shards.of(owner) !== shard) throw new WrongShardError('moved', owner, shard.id);
  }
}
