/**
 * Signatures uploaded after the keys: of own devices by the self-signing key, of the own master key by a device, of another
 * account's master key by the user-signing key. Each is checked and failures are named (SPEC K7). A caller that signs its
 * device with the key from before a password reset has the secrets of the account (SPEC H7).
 */
import type { CrossSigningKey, DeviceKeys } from '@dostar/protocol/contract/device-keys';
import type * as contract from '@dostar/protocol/contract/device-keys';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, userOf } from '@dostar/protocol/matrix-ids';
import type { MatrixUser } from '@dostar/protocol/matrix-ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { listReachable } from '../../people/contacts/service.ts';
import { announceDeviceList, bumpDeviceListRevision, notifyDeviceList } from '../device-lists/service.ts';
import { findRestriction, liftRestrictionIfOlder } from '../../identity/recovery/service.ts';
import { readAccounts } from './read-accounts.ts';
import { lockOwnSharedKeys } from './service.ts';
import type { KeyCaller } from './service.ts';
import { canonicalJson, identityKeyOf, isSignedBy, signedPart, withSignatures } from './signed-json.ts';
import { readIdentity } from './cross-signing.ts';
import {
  fillSigningKeyCreatedAt,
  findDeviceKeys,
  findSigningKeyCreatedAt,
  putDeviceKeys,
  putPersonSignature,
  readKeys,
  setMasterKey,
} from './store.ts';

type Body = z.output<(typeof contract.uploadSignatures)['body']>;
type Reply = z.input<(typeof contract.uploadSignatures)['reply']>;
type SignedObject = DeviceKeys | CrossSigningKey;

const NOT_FOUND = { errcode: 'M_NOT_FOUND', error: 'No such key', status: 404 };
const BAD_SIGNATURE = { errcode: 'M_INVALID_SIGNATURE', error: 'Invalid signature', status: 400 };
type Failure = typeof NOT_FOUND;

export async function uploadSignatures(ctx: Context, caller: KeyCaller, body: Body): Promise<Reply> {
  const failures: Reply['failures'] = {};
  for (const [user, objects] of Object.entries(body) as [MatrixUser, Record<string, SignedObject>][]) {
    const failed =
      user === userOf(caller.account)
        ? await signOwn(ctx, caller, objects)
        : await signPerson(ctx, caller, accountOf(user), objects);
    if (Object.keys(failed).length > 0) failures[user] = failed;
  }
  return { failures };
}

async function signOwn(
  ctx: Context,
  caller: KeyCaller,
  objects: Record<string, SignedObject>,
): Promise<Record<string, Failure>> {
  const { account } = caller;
  const failed: Record<string, Failure> = {};
  const listRevision = await ctx.shards.write(account, async (db) => {
    await lockOwnSharedKeys(db, caller);
    let isChanged = false;
    for (const [id, object] of Object.entries(objects)) {
      const outcome = (await signDevice(db, account, id, object)) ?? (await signMaster(db, account, id, object));
      if (outcome === undefined) failed[id] = NOT_FOUND;
      else if (outcome === 'bad') failed[id] = BAD_SIGNATURE;
      else isChanged ||= outcome === 'changed';
    }
    if (Object.hasOwn(objects, caller.device) && !Object.hasOwn(failed, caller.device))
      await recordSigner(db, caller, ctx.clock.now());
    return isChanged ? bumpDeviceListRevision(ctx, db, account) : undefined;
  });
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  return failed;
}

/** The session has the keys of this identity: it is the owner's if they are older than the reset it came by. */
async function recordSigner(db: ShardDb, caller: KeyCaller, now: number): Promise<void> {
  if ((await findRestriction(db, caller)) === undefined) await fillSigningKeyCreatedAt(db, caller.account, now);
  else await liftRestrictionIfOlder(db, caller, await findSigningKeyCreatedAt(db, caller.account), now);
}

type Outcome = 'changed' | 'known' | 'bad' | undefined;

/** Undefined if there is no device of that id. */
async function signDevice(db: ShardDb, account: AccountId, id: string, object: SignedObject): Promise<Outcome> {
  const text = await findDeviceKeys(db, account, id);
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as DeviceKeys;
  const signing = (await readIdentity(db, account)).self_signing;
  const signer = signing && identityKeyOf(signing);
  if (!signer || signedPart(stored) !== signedPart(object)) return 'bad';
  const merged = addSignature(stored, object, userOf(account), signer);
  if (!merged) return 'bad';
  if (canonicalJson(merged) === text) return 'known';
  await putDeviceKeys(db, account, id, canonicalJson(merged));
  return 'changed';
}

/** Undefined if the master key is another one. */
async function signMaster(db: ShardDb, account: AccountId, id: string, object: SignedObject): Promise<Outcome> {
  const { master } = await readIdentity(db, account);
  if (!master || identityKeyOf(master)?.publicKey !== id) return undefined;
  if (signedPart(master) !== signedPart(object)) return 'bad';
  let merged: CrossSigningKey = master;
  for (const keyId of Object.keys(object.signatures?.[userOf(account)] ?? {})) {
    const text = await findDeviceKeys(db, account, keyId.replace(/^ed25519:/, ''));
    const publicKey = text === undefined ? undefined : (JSON.parse(text) as DeviceKeys).keys[keyId];
    const next =
      publicKey === undefined ? undefined : addSignature(merged, object, userOf(account), { id: keyId, publicKey });
    if (!next) return 'bad';
    merged = next;
  }
  if (canonicalJson(merged) === canonicalJson(master)) return 'known';
  await setMasterKey(db, account, canonicalJson(merged));
  return 'changed';
}

/** Undefined if the offered object does not carry a good signature of that key. */
function addSignature<T extends SignedObject>(
  stored: T,
  offered: SignedObject,
  user: MatrixUser,
  signer: { id: string; publicKey: string },
): T | undefined {
  if (!isSignedBy(offered, user, signer.id, signer.publicKey)) return undefined;
  return withSignatures(stored, { [user]: { [signer.id]: offered.signatures![user]![signer.id]! } });
}

/** Shown to the signer only: it reveals who has verified whom. */
async function signPerson(
  ctx: Context,
  caller: KeyCaller,
  target: AccountId,
  objects: Record<string, SignedObject>,
): Promise<Record<string, Failure>> {
  const { account } = caller;
  const master = await findMasterOf(ctx, account, target);
  const failed: Record<string, Failure> = {};
  let hasChanges = false;
  for (const [id, object] of Object.entries(objects)) {
    if (!master || identityKeyOf(master)?.publicKey !== id) failed[id] = NOT_FOUND;
    else if (signedPart(master) !== signedPart(object)) failed[id] = BAD_SIGNATURE;
    else if (await storePersonSignature(ctx, caller, target, id, object)) hasChanges = true;
    else failed[id] = BAD_SIGNATURE;
  }
  if (hasChanges) await notifyDeviceList(ctx, [account], target, 'changed');
  return failed;
}

async function findMasterOf(ctx: Context, from: AccountId, target: AccountId): Promise<CrossSigningKey | undefined> {
  const visible = await listReachable(ctx, from, [target]);
  const keys = (await readAccounts(ctx, visible, readKeys)).get(target);
  const identity = (keys?.identity ?? []).map((text) => JSON.parse(text) as CrossSigningKey);
  return identity.find((key) => key.usage[0] === 'master');
}

/** False for a signature that is not the signer's. */
async function storePersonSignature(
  ctx: Context,
  caller: KeyCaller,
  target: AccountId,
  targetKey: string,
  object: SignedObject,
): Promise<boolean> {
  const { account } = caller;
  return ctx.shards.write(account, async (db) => {
    await lockOwnSharedKeys(db, caller);
    const signing = (await readIdentity(db, account)).user_signing;
    const signer = signing && identityKeyOf(signing);
    if (!signer || !isSignedBy(object, userOf(account), signer.id, signer.publicKey)) return false;
    const signature = object.signatures![userOf(account)]![signer.id]!;
    await putPersonSignature(db, account, { target, targetKey, signerKey: signer.id, signature });
    return true;
  });
}
