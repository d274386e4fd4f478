/**
 * The dehydrated device: it receives while no device of the account is signed in. Its owner encrypts it, and it has a queue
 * like any other device. A new browser reads the queue with it; once a month a browser replaces it.
 *
 * Promise: one per account. A replacement names what it replaces, so two browsers that return at once don't delete each
 * other's (SPEC K13). Reading the queue deletes nothing: the queue is deleted with the device.
 */
import type * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { announceDeviceList } from '../device-lists/service.ts';
import { addDehydratedDevice, lockOwnSharedKeys, removeDehydratedDevice } from '../device-keys/service.ts';
import type { KeyCaller } from '../device-keys/service.ts';
import { listPendingEvents } from '../to-device/service.ts';
import { findDehydratedDevice, putDehydratedDevice } from './store.ts';

export { archiveDehydratedDevice, restoreDehydratedDevice, purgeDehydratedArchive } from './archive.ts';

type Put = z.output<(typeof contract.putDehydratedDevice)['body']>;
type Events = z.output<(typeof contract.listDehydratedEvents)['body']>;
type EventsReply = z.input<(typeof contract.listDehydratedEvents)['reply']>;

const MAX_DATA_BYTES = 32 * 1024;

export async function replaceDehydratedDevice(ctx: Context, caller: KeyCaller, put: Put): Promise<void> {
  const { account } = caller;
  const { device, replaces } = put;
  const heard = put.heard === undefined ? undefined : readBatch(put.heard, 'heard');
  const { device_id: id, device_data, ...keys } = device;
  const data = JSON.stringify(device_data);
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw new AppError('too_large');
  const listRevision = await ctx.shards.write(account, async (db) => {
    await lockOwnSharedKeys(db, caller);
    const present = (await findDehydratedDevice(db, account))?.device;
    // A repeat: the first response was lost.
    if (present === id) return undefined;
    if ((present ?? null) !== replaces) throw staleRevision(present);
    if (present !== undefined) await removeDehydratedDevice(ctx, db, account, present, heard);
    await putDehydratedDevice(db, account, { device: id, data, madeAt: ctx.clock.now() });
    return addDehydratedDevice(ctx, db, account, id, keys);
  });
  if (listRevision) announceDeviceList(ctx, account, listRevision);
}

export async function getDehydratedDevice(ctx: Context, account: AccountId) {
  const found = await requireDehydratedDevice(ctx, account);
  const data = JSON.parse(found.data) as Record<string, unknown>;
  return { device_id: found.device, device_data: data, age_ms: Math.max(0, ctx.clock.now() - found.madeAt) };
}

export async function listDehydratedEvents(ctx: Context, account: AccountId, page: Events): Promise<EventsReply> {
  const found = await requireDehydratedDevice(ctx, account);
  if (found.device !== page.device_id) throw new AppError('not_found');
  const since = readBatch(page.next_batch ?? '0', 'next_batch');
  const pending = await listPendingEvents(ctx, account, page.device_id, since);
  return {
    events: pending.events.map((event) => JSON.parse(event) as Record<string, unknown>),
    next_batch: String(pending.upTo),
  };
}

/** By `write`, not `query`: a shard that gave the account away would report no device. */
async function requireDehydratedDevice(ctx: Context, account: AccountId) {
  const found = await ctx.shards.write(account, (db: ShardDb) => findDehydratedDevice(db, account));
  if (!found) throw new AppError('not_found');
  return found;
}

function readBatch(text: string, field: string): number {
  const upTo = Number(text);
  if (!Number.isSafeInteger(upTo) || upTo < 0) throw new AppError('invalid_request', { fields: [field] });
  return upTo;
}

function staleRevision(present: string | undefined): AppError {
  return new AppError('stale_revision', { device_id: present ?? null });
}
