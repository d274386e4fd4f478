/** Vaults: encrypted data of the account. A fresh start archives them for a month, so that the owner can restore them. */
import { VaultKind } from '@dostar/protocol/contract/vault';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { deleteAll } from '../../../platform/postgres/paged-delete.ts';
import { deleteRevisionsBefore, saveRevision, setFormerKey } from './revisions.ts';
import { copyToArchive, deleteArchivesBefore, deleteVaults, findVault, moveFromArchive, putVault } from './store.ts';

export { deleteRevisions, setFormerKey } from './revisions.ts';

/** In the transaction of the fresh start. An existing archive is kept: it is the owner's. */
export async function archiveVault(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await copyToArchive(db, owner, VaultKind.options, until);
  await deleteVaults(db, owner);
  await setFormerKey(db, owner, true);
}

/** Call it before a restricted session overwrites a vault: the owner may have to restore it. */
export async function copyVaultsToArchive(
  db: ShardDb,
  owner: AccountId,
  kinds: string[],
  until: number,
): Promise<void> {
  await copyToArchive(db, owner, kinds, until);
}

/** With the former revision numbers, which the ciphertext is bound to. */
export async function restoreVault(db: ShardDb, owner: AccountId): Promise<void> {
  await moveFromArchive(db, owner);
  await setFormerKey(db, owner, false);
}

export async function purgeVaultArchive(shard: Shard, now: number): Promise<void> {
  await deleteAll(shard, (db) => deleteArchivesBefore(db, now));
  await deleteAll(shard, (db) => deleteRevisionsBefore(db, now));
}

/** Replaces the revision that the client read (SPEC K14), in the caller's transaction. The replaced revision is saved. */
export async function replaceVault(
  db: ShardDb,
  owner: AccountId,
  { kind, rev, blob }: { kind: string; rev: number; blob: string },
  now: number,
): Promise<void> {
  await saveRevision(db, owner, kind, now);
  if (await putVault(db, owner, kind, { rev, blob: Buffer.from(blob, 'base64url') })) return;
  throw new AppError('stale_revision', { rev: (await findVault(db, owner, kind))?.rev ?? 0 });
}
