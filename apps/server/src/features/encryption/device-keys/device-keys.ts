/** Uploads of a device's own keys, including repeated ones. */
import type { CrossSigningKey, DeviceKeys, KeyMap } from '@dostar/protocol/contract/device-keys';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { z } from 'zod';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { canonicalJson, identityKeyOf, isSignedBy, signedPart } from './signed-json.ts';
import type { IdentityKey } from './signed-json.ts';
import {
  countOneTimeKeys,
  findDeviceKeys,
  insertOneTimeKeys,
  listFallbackKeys,
  listIdentityKeys,
  listKnownKeys,
  putDeviceKeys,
  putFallbackKey,
} from './store.ts';
import type { NamedKey } from './store.ts';

/** Ten times as many as the encryption engine keeps. */
const MAX_UNCLAIMED = 500;

export interface OfferedKeys {
  device_keys?: DeviceKeys | undefined;
  one_time_keys?: z.output<typeof KeyMap> | undefined;
  fallback_keys?: z.output<typeof KeyMap> | undefined;
}

/** Throws unless the keys are the device's own and signed by it. */
export function requireOwnKeys(keys: DeviceKeys, owner: AccountId, device: string): void {
  if (keys.user_id !== userOf(owner) || keys.device_id !== device) throw new AppError('forbidden');
  const id = `ed25519:${device}`;
  const publicKey = keys.keys[id];
  if (publicKey === undefined || keys.keys[`curve25519:${device}`] === undefined) throw new AppError('bad_signature');
  if (!isSignedBy(keys, keys.user_id, id, publicKey)) throw new AppError('bad_signature');
}

/** Throws unless the account's identity has signed them. A session without the account's secrets can't do that. */
export async function requireSelfSigned(db: ShardDb, owner: AccountId, keys: DeviceKeys): Promise<void> {
  const signer = await findSelfSigner(db, owner);
  if (signer && !isSignedBy(keys, keys.user_id, signer.id, signer.publicKey)) throw new AppError('bad_signature');
}

/**
 * Stores a device's keys, in the transaction that holds its session. Returns whether the device is new: its keys never
 * change afterwards, because others have verified them (SPEC K3).
 */
export async function storeKeys(
  db: ShardDb,
  owner: AccountId,
  device: string,
  offered: OfferedKeys,
): Promise<'new' | 'known'> {
  const stored = await findDeviceKeys(db, owner, device);
  const known = stored === undefined ? undefined : (JSON.parse(stored) as DeviceKeys);
  const keys = known ?? offered.device_keys;
  if (!keys) throw new AppError('forbidden');
  if (known && offered.device_keys && signedPart(known) !== signedPart(offered.device_keys)) {
    throw new AppError('key_conflict');
  }
  if (!known) await putDeviceKeys(db, owner, device, await withKnownSignatures(db, owner, keys));
  await storeOneTimeKeys(db, owner, device, requireSigned(offered.one_time_keys, keys));
  await storeFallbackKeys(db, owner, device, requireSigned(offered.fallback_keys, keys));
  return known ? 'known' : 'new';
}

/** Keeps the signatures of the device and of the account's identity. Others can't be checked here. */
async function withKnownSignatures(db: ShardDb, owner: AccountId, keys: DeviceKeys): Promise<string> {
  const own = `ed25519:${keys.device_id}`;
  const signer = await findSelfSigner(db, owner);
  const isByIdentity = signer && isSignedBy(keys, keys.user_id, signer.id, signer.publicKey);
  const kept = [own, ...(isByIdentity ? [signer.id] : [])];
  const all = keys.signatures[keys.user_id] ?? {};
  const signatures = { [keys.user_id]: Object.fromEntries(kept.map((id) => [id, all[id]!])) };
  return canonicalJson({ ...keys, signatures });
}

async function findSelfSigner(db: ShardDb, owner: AccountId): Promise<IdentityKey | undefined> {
  const signing = (await listIdentityKeys(db, owner)).find(({ usage }) => usage === 'self_signing');
  return signing && identityKeyOf(JSON.parse(signing.key) as CrossSigningKey);
}

function requireSigned(offered: OfferedKeys['one_time_keys'], device: DeviceKeys): NamedKey[] {
  const id = `ed25519:${device.device_id}`;
  const publicKey = device.keys[id] ?? '';
  return Object.entries(offered ?? {}).map(([fullName, key]) => {
    if (!isSignedBy(key, device.user_id, id, publicKey)) throw new AppError('bad_signature');
    const [algorithm = '', name = ''] = fullName.split(':');
    return { algorithm, name, key: canonicalJson(key) };
  });
}

async function storeOneTimeKeys(db: ShardDb, owner: AccountId, device: string, keys: NamedKey[]): Promise<void> {
  if (keys.length === 0) return;
  const names = keys.map((key) => key.name);
  const known = new Map((await listKnownKeys(db, owner, device, names)).map((row) => [idOf(row), row.key]));
  if (keys.some((key) => (known.get(idOf(key)) ?? key.key) !== key.key)) throw new AppError('key_conflict');
  const fresh = keys.filter((key) => !known.has(idOf(key)));
  if (fresh.length > 0) await insertOneTimeKeys(db, owner, device, fresh);
  const count = (await countOneTimeKeys(db, owner, [device])).get(device) ?? 0;
  if (count > MAX_UNCLAIMED) throw new AppError('too_large');
}

/** A repeat leaves a used key used; a new one starts unused. */
async function storeFallbackKeys(db: ShardDb, owner: AccountId, device: string, keys: NamedKey[]): Promise<void> {
  if (keys.length === 0) return;
  const known = new Map((await listFallbackKeys(db, owner, device)).map((row) => [idOf(row), row.key]));
  for (const key of keys) {
    const before = known.get(idOf(key));
    if (before !== undefined && before !== key.key) throw new AppError('key_conflict');
    if (before === undefined) await putFallbackKey(db, owner, device, key);
  }
}

function idOf({ algorithm, name }: NamedKey): string {
  return `${algorithm}:${name}`;
}
