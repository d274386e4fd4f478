/**
 * Revisions that were replaced. A stolen session can overwrite a vault without the account key; the owner's
 * browser finds the last genuine one here.
 */
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import type { VaultKind } from '@dostar/protocol/contract/vault';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

/** How often at most a revision of a vault other than `secrets` is kept: these change often. */
const REVISION_INTERVAL_MS = 3_600_000;

export interface Revision {
  rev: number;
  replacedAt: number;
}

/** Called in the transaction that replaces the vault, before it does. */
export async function saveRevision(db: ShardDb, owner: AccountId, kind: string, now: number): Promise<void> {
  await sql`
    insert into vault_revision (owner, kind, rev, blob, replaced_at, until)
    select owner, kind, rev, blob, ${now}::bigint, ${now + RECOVERY_RETENTION_MS}::bigint from vault v
    where owner = ${owner} and kind = ${kind} and (kind = 'secrets' or not exists (
      select from vault_revision r
      where r.owner = v.owner and r.kind = v.kind and r.replaced_at > ${now - REVISION_INTERVAL_MS}))
    on conflict do nothing`.execute(db);
}

/** Newest first. */
export async function listRevisions(
  db: ShardDb,
  owner: AccountId,
  { kind, before, now, limit }: { kind: VaultKind; before: Revision | undefined; now: number; limit: number },
): Promise<(Revision & { blob: Buffer })[]> {
  const { rows } = await sql<Revision & { blob: Buffer }>`
    select rev, replaced_at as "replacedAt", blob from vault_revision
    where owner = ${owner} and kind = ${kind} and not former_key and until > ${now}
      and (${before === undefined} or (replaced_at, rev) < (${before?.replacedAt ?? 0}::bigint, ${before?.rev ?? 0}::integer))
    order by replaced_at desc, rev desc limit ${limit}`.execute(db);
  return rows;
}

/** Marks revisions as encrypted under a former account key, or under the current one again. */
export async function setFormerKey(db: ShardDb, owner: AccountId, isFormer: boolean): Promise<void> {
  await db.updateTable('vault_revision').set({ former_key: isFormer }).where('owner', '=', owner).execute();
}

export async function deleteRevisions(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('vault_revision').where('owner', '=', owner).execute();
}

export async function deleteRevisionsBefore(db: ShardDb, moment: number): Promise<boolean> {
  return deletePage(db, 'vault_revision', sql`until <= ${moment}`);
}
