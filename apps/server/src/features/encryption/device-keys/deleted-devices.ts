/**
 * Devices that are gone. What one of them sealed may be opened long after: by a browser that finds its key with the
 * waiting device, or by one that was away. Whose device it was is then asked here.
 *
 * Promise: a former device is told of to those who may see the account's keys, and to nobody as one to seal for.
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

/** Part of ending a device. One that its owner's identity never signed has sealed nothing that anybody opens. */
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
