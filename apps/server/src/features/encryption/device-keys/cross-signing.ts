/**
 * Cross-signing identities: the master key and the two keys that it signs. The first upload needs nothing more. A replacement
 * makes contacts verify the person again, so it needs a recent re-authentication (SPEC K6).
 */
import type { CrossSigningKey } from '@dostar/protocol/contract/device-keys';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { announceDeviceList, bumpDeviceListRevision } from '../device-lists/service.ts';
import { findRestriction } from '../../identity/recovery/service.ts';
import { requireReauthentication } from '../../identity/sessions/service.ts';
import type { Session } from '../../identity/sessions/service.ts';
import { setPublicKey } from '../../people/users/service.ts';
import { archiveIdentity } from './archive.ts';
import { lockOwnSharedKeys } from './service.ts';
import { canonicalJson, identityKeyOf, isSignedBy, signedPart } from './signed-json.ts';
import { deleteIdentityKeys, listIdentityKeys, putIdentityKey } from './store.ts';
import type { Usage } from './store.ts';

export interface OfferedIdentity {
  master_key?: CrossSigningKey | undefined;
  self_signing_key?: CrossSigningKey | undefined;
  user_signing_key?: CrossSigningKey | undefined;
}

type Identity = Partial<Record<Usage, CrossSigningKey>>;

const SIGNED_BY_MASTER = ['self_signing', 'user_signing'] as const;

export async function uploadSigningKeys(ctx: Context, session: Session, body: OfferedIdentity): Promise<void> {
  const { account } = session;
  const offered = readOffered(account, body);
  const proof = requireReauthentication(ctx, session);
  // Only a replacement needs re-authentication, so a missing one is no failure of a first upload.
  proof.catch(() => {});
  const until = ctx.clock.now() + RECOVERY_RETENTION_MS;
  const listRevision = await ctx.shards.write(account, async (db) => {
    await lockOwnSharedKeys(db, session);
    const stored = await readIdentity(db, account);
    const changed = listChanged(stored, offered);
    if (changed.length === 0) return undefined;
    if (stored.master) await proof;
    // A restricted session: the owner may have to restore the identity.
    if ((await findRestriction(db, session)) !== undefined) await archiveIdentity(db, account, until);
    await storeIdentity(ctx, db, account, stored, offered, changed);
    return bumpDeviceListRevision(ctx, db, account);
  });
  if (listRevision) announceDeviceList(ctx, account, listRevision);
}

/** Throws for keys of another account, and for keys that do not match their declared type. */
function readOffered(account: AccountId, body: OfferedIdentity): Identity {
  const offered: Identity = {
    ...(body.master_key && { master: body.master_key }),
    ...(body.self_signing_key && { self_signing: body.self_signing_key }),
    ...(body.user_signing_key && { user_signing: body.user_signing_key }),
  };
  for (const [usage, key] of Object.entries(offered)) {
    if (key.user_id !== userOf(account)) throw new AppError('forbidden');
    if (key.usage[0] !== usage || !identityKeyOf(key)) throw new AppError('bad_signature');
  }
  return offered;
}

export async function readIdentity(db: ShardDb, account: AccountId): Promise<Identity> {
  const rows = await listIdentityKeys(db, account);
  return Object.fromEntries(rows.map(({ usage, key }) => [usage, JSON.parse(key) as CrossSigningKey]));
}

function listChanged(stored: Identity, offered: Identity): Usage[] {
  return (Object.keys(offered) as Usage[]).filter((usage) => {
    const before = stored[usage];
    return !before || signedPart(before) !== signedPart(offered[usage]!);
  });
}

async function storeIdentity(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  stored: Identity,
  offered: Identity,
  changed: Usage[],
): Promise<void> {
  const isNewMaster = changed.includes('master');
  const master = isNewMaster ? offered.master : stored.master;
  const signer = master && identityKeyOf(master);
  if (!signer) throw new AppError('bad_signature');
  for (const usage of SIGNED_BY_MASTER) {
    const key = offered[usage];
    if (key && !isSignedBy(key, userOf(account), signer.id, signer.publicKey)) throw new AppError('bad_signature');
  }
  // Keys that the old master key signed are invalid under the new one.
  if (isNewMaster)
    await deleteIdentityKeys(
      db,
      account,
      SIGNED_BY_MASTER.filter((usage) => !offered[usage]),
    );
  for (const usage of changed) {
    const key = offered[usage]!;
    const signatures = usage === 'master' ? {} : { [userOf(account)]: key.signatures?.[userOf(account)] ?? {} };
    await putIdentityKey(db, account, { usage, key: canonicalJson({ ...key, signatures }), now: ctx.clock.now() });
  }
  if (isNewMaster) await setPublicKey(ctx, db, account, signer.publicKey);
}
