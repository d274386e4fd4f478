/**
 * Public keys of devices: uploaded by the device, queried and claimed by contacts who encrypt for it.
 *
 * Promise: no one-time key is given out twice, despite retries, crashes and parallel calls (SPEC K4). A caller who may not
 * see an account gets it without devices (SPEC K5).
 */
import type { CrossSigningKey, DeviceKeys, KeyCounts, SignedKey } from '@dostar/protocol/contract/device-keys';
import type * as contract from '@dostar/protocol/contract/device-keys';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { accountOf, userOf } from '@dostar/protocol/matrix-ids';
import type { MatrixDevice, MatrixUser } from '@dostar/protocol/matrix-ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { listReachable } from '../../people/contacts/service.ts';
import { announceDeviceList, bumpDeviceListRevision } from '../device-lists/service.ts';
import type { DeviceListRevision } from '../device-lists/service.ts';
import { publishKeyCounts } from '../../messaging/mailbox/service.ts';
import { requireOwnKeys, requireSelfSigned, storeKeys } from './device-keys.ts';
import type { OfferedKeys } from './device-keys.ts';
import { recordDeletedDevice } from './deleted-devices.ts';
import { readAccounts } from './read-accounts.ts';
import { identityKeyOf, withSignatures } from './signed-json.ts';
import {
  countOneTimeKeys,
  deleteDeviceKeys,
  findDeviceKeys,
  hasEventsAfter,
  lockSessionDevice,
  lockSharedKeys,
  putDeviceKeys,
  readKeys,
  readPersonSignatures,
  takeDeviceKeys,
  claimStoredKeys,
} from './store.ts';
import type { AccountKeys, ClaimedKey, PersonSignature } from './store.ts';

export { archiveIdentity, restoreIdentity, purgeIdentityArchive } from './archive.ts';

/** Claims by one account from one other. A session needs one claim, and another one if it has to be repaired. */
const CLAIMS_PER_PAIR: RateLimit = { name: 'claims-pair', points: 120, perSeconds: 3_600, scope: 'shared' };
/**
 * By all accounts together. Beyond it a claim returns the fallback key instead of an error: otherwise strangers could keep
 * an account's contacts from writing to it.
 */
const CLAIMS_PER_TARGET: RateLimit = { name: 'claims-target', points: 3_000, perSeconds: 3_600, scope: 'shared' };

/** Below this count the device is told to upload more. The encryption engine keeps fifty. */
const LOW_KEY_COUNT = 40;

export interface KeyCaller {
  account: AccountId;
  device: DeviceId;
  session: string;
}

/** Throws unless the session still has this device, and locks it until the transaction ends. */
async function lockOwnDevice(db: ShardDb, { account, device, session }: KeyCaller): Promise<void> {
  const locked = await lockSessionDevice(db, account, session);
  if (locked === undefined) throw new AppError('unauthenticated');
  // The session has just got a new device, and this process has not been told yet.
  if (locked !== device) throw new AppError('unavailable');
}

/** Also locks the keys that all devices of the account share, so that two devices can't both insert the first ones. */
export async function lockOwnSharedKeys(db: ShardDb, caller: KeyCaller): Promise<void> {
  await lockOwnDevice(db, caller);
  await lockSharedKeys(db, caller.account);
}

export async function uploadKeys(ctx: Context, caller: KeyCaller, offered: OfferedKeys): Promise<KeyCounts> {
  const { account, device } = caller;
  if (offered.device_keys) requireOwnKeys(offered.device_keys, account, device);
  const { listRevision, count } = await ctx.shards.write(account, async (db) => {
    await lockOwnDevice(db, caller);
    const outcome = await storeKeys(db, account, device, offered);
    const counts = await countOneTimeKeys(db, account, [device]);
    const isNew = outcome === 'new';
    return {
      count: counts.get(device) ?? 0,
      listRevision: isNew ? await bumpDeviceListRevision(ctx, db, account) : undefined,
    };
  });
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  return { signed_curve25519: count };
}

/** Part of storing a dehydrated device. Its id must be new, and the account's identity must have signed it. */
export async function addDehydratedDevice(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  device: string,
  offered: OfferedKeys & { device_keys: DeviceKeys },
): Promise<DeviceListRevision> {
  requireOwnKeys(offered.device_keys, owner, device);
  await requireSelfSigned(db, owner, offered.device_keys);
  if ((await storeKeys(db, owner, device, offered)) === 'known') throw new AppError('key_conflict');
  return bumpDeviceListRevision(ctx, db, owner);
}

/**
 * Part of revoking a session: deletes the device's keys and its queue. A device that may have encrypted messages is recorded
 * as deleted.
 */
export async function removeDeviceKeys(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  device: string,
): Promise<DeviceListRevision | undefined> {
  const keys = await findDeviceKeys(db, owner, device);
  if (keys === undefined) return undefined;
  // The mailbox row first: a sender that queues for the device holds it, and then finds no device.
  const listRevision = await bumpDeviceListRevision(ctx, db, owner);
  await deleteDeviceKeys(db, owner, device);
  await recordDeletedDevice(ctx, db, owner, { device, keys });
  return listRevision;
}

/** As `removeDeviceKeys`, for the dehydrated device, which never sends. Throws if its queue has events after `heard`. */
export async function removeDehydratedDevice(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  device: string,
  heard?: number,
): Promise<DeviceListRevision> {
  // From here on, nothing is queued for the device.
  const listRevision = await bumpDeviceListRevision(ctx, db, owner);
  if (heard !== undefined && (await hasEventsAfter(db, owner, device, heard))) {
    throw new AppError('stale_revision', { device_id: device });
  }
  await deleteDeviceKeys(db, owner, device);
  return listRevision;
}

/** Takes the dehydrated device out of the device list. Its keys and queue are kept for a restore. */
export async function archiveDeviceKeys(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  device: string,
): Promise<{ listRevision: DeviceListRevision; keys: string }> {
  const listRevision = await bumpDeviceListRevision(ctx, db, owner);
  return { listRevision, keys: (await takeDeviceKeys(db, owner, device)) ?? '' };
}

export async function restoreDeviceKeys(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  { device, keys }: { device: string; keys: string },
): Promise<DeviceListRevision> {
  await putDeviceKeys(db, owner, device, keys);
  return bumpDeviceListRevision(ctx, db, owner);
}

type Query = z.output<(typeof contract.queryKeys)['body']>['device_keys'];
type QueryReply = z.input<(typeof contract.queryKeys)['reply']>;

export async function queryKeys(ctx: Context, from: AccountId, query: Query): Promise<QueryReply> {
  const asked = (Object.keys(query) as MatrixUser[]).map(accountOf);
  const visible = await listReachable(ctx, from, asked);
  const [found, own] = await Promise.all([
    readAccounts(ctx, visible, readKeys),
    readAccounts(ctx, [from], (db, owners) => readPersonSignatures(db, owners, visible)),
  ]);
  const signatures = own.get(from)?.signatures ?? [];
  const reply: QueryReply = {
    device_keys: Object.fromEntries(asked.map((account) => [userOf(account), {}])),
    master_keys: {},
    self_signing_keys: {},
    user_signing_keys: {},
    failures: {},
    device_revs: {},
  };
  for (const [account, keys] of found) {
    const user = userOf(account);
    addIdentity(reply, keys, { isSelf: account === from, signer: userOf(from), signatures });
    reply.device_keys[user] = pickDevices(keys, query[user] ?? []);
    reply.device_revs[user] = keys.deviceRev;
  }
  return reply;
}

function pickDevices(keys: AccountKeys, wanted: MatrixDevice[]): Record<MatrixDevice, DeviceKeys> {
  const devices = keys.devices.map((text) => JSON.parse(text) as DeviceKeys);
  const picked = wanted.length === 0 ? devices : devices.filter((device) => wanted.includes(device.device_id));
  return Object.fromEntries(picked.map((device) => [device.device_id, device]));
}

interface Requester {
  isSelf: boolean;
  signer: MatrixUser;
  /** The requester's signatures of other accounts. */
  signatures: PersonSignature[];
}

/** Includes the caller's own signatures of these keys; signatures by others are private. */
function addIdentity(reply: QueryReply, keys: AccountKeys, requester: Requester): void {
  const user = userOf(keys.owner);
  for (const text of keys.identity) {
    const key = JSON.parse(text) as CrossSigningKey;
    const [usage] = key.usage;
    if (usage === 'self_signing') reply.self_signing_keys[user] = key;
    else if (usage === 'user_signing' && requester.isSelf) reply.user_signing_keys[user] = key;
    else if (usage === 'master') reply.master_keys[user] = addPersonSignatures(key, requester);
  }
}

function addPersonSignatures(master: CrossSigningKey, { signer, signatures }: Requester): CrossSigningKey {
  const publicKey = identityKeyOf(master)?.publicKey;
  const target = accountOf(master.user_id);
  const fitting = signatures.filter((signed) => signed.target === target && signed.targetKey === publicKey);
  if (fitting.length === 0) return master;
  const byKey = Object.fromEntries(fitting.map(({ signerKey, signature }) => [signerKey, signature]));
  return withSignatures(master, { [signer]: byKey });
}

type Claim = z.output<(typeof contract.claimKeys)['body']>['one_time_keys'];
type ClaimReply = z.input<(typeof contract.claimKeys)['reply']>;

export async function claimKeys(ctx: Context, from: AccountId, claim: Claim): Promise<ClaimReply> {
  const visible = await listReachable(ctx, from, (Object.keys(claim) as MatrixUser[]).map(accountOf));
  for (const target of visible) await ctx.limits.charge(CLAIMS_PER_PAIR, `${from}/${target}`);
  const claimed = await Promise.all(visible.map((target) => claimFrom(ctx, target, claim[userOf(target)] ?? {})));
  return { one_time_keys: Object.fromEntries(claimed), failures: {} };
}

async function claimFrom(
  ctx: Context,
  target: AccountId,
  devices: Record<string, string>,
): Promise<[MatrixUser, Record<string, Record<string, SignedKey>>]> {
  const wanted = Object.entries(devices).map(([device, algorithm]) => ({ device, algorithm }));
  const { isOver } = await ctx.limits.count(CLAIMS_PER_TARGET, target);
  const { taken, left } = await ctx.shards.write(target, async (db) => {
    const keys = await claimStoredKeys(db, target, wanted, { canConsume: !isOver, now: ctx.clock.now() });
    return { taken: keys, left: await countOneTimeKeys(db, target, Object.keys(devices)) };
  });
  for (const { device, isFallback } of taken) {
    if (isFallback || (left.get(device) ?? 0) < LOW_KEY_COUNT) publishKeyCounts(ctx, target, device);
  }
  return [userOf(target), Object.fromEntries(taken.map((key) => [key.device, named(key)]))];
}

function named({ algorithm, name, key }: ClaimedKey): Record<string, SignedKey> {
  return { [`${algorithm}:${name}`]: JSON.parse(key) as SignedKey };
}
