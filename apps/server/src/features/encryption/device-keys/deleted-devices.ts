/**
 * Deleted devices. A browser that was offline or restores a key may decrypt a message of a deleted device much later, and
 * asks here whose device it was.
 *
 * Promise: a deleted device is shown to accounts that may see the owner's keys, and never as a device to encrypt for.
 */
import type { DeviceKeys } from '@dostar/protocol/contract/device-keys';
import type * as contract from '@dostar/protocol/contract/device-keys';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, userOf } from '@dostar/protocol/matrix-ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { listReachable } from '../../people/contacts/service.ts';
import { putDeletedDevice, readDeletedDevices } from './deleted-devices-store.ts';
import { readAccounts } from './read-accounts.ts';

/** Five times as many as an account may have at once. */
const MAX_DELETED_DEVICES = 50;

/** Part of removing a device. Skips one that its owner's identity never signed: other devices ignore what it sent. */
export async function recordDeletedDevice(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  { device, keys }: { device: string; keys: string },
): Promise<void> {
  const { signatures } = JSON.parse(keys) as DeviceKeys;
  const isSigned = Object.keys(signatures[userOf(owner)] ?? {}).some((name) => name !== `ed25519:${device}`);
  if (isSigned) await putDeletedDevice(db, owner, { device, keys, now: ctx.clock.now(), kept: MAX_DELETED_DEVICES });
}

type Asked = z.output<(typeof contract.listDeletedDevices)['body']>['users'];
type Reply = z.input<(typeof contract.listDeletedDevices)['reply']>;

export async function listDeletedDevices(ctx: Context, from: AccountId, asked: Asked): Promise<Reply> {
  const visible = await listReachable(ctx, from, asked.map(accountOf));
  const found = await readAccounts(ctx, visible, readDeletedDevices);
  const devices = [...found].map(([account, row]) => {
    const keys = row.devices.map((text) => JSON.parse(text) as DeviceKeys);
    return [userOf(account), Object.fromEntries(keys.map((one) => [one.device_id, one]))] as const;
  });
  return { device_keys: Object.fromEntries(devices) };
}
