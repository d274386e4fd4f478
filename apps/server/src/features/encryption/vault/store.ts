import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export interface StoredVault {
  rev: number;
  blob: Buffer;
}

export async function findVault(db: ShardDb, owner: AccountId, kind: string): Promise<StoredVault | undefined> {
  return db
    .selectFrom('vault')
    .select(['rev', 'blob'])
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** False if the stored revision is another one. */
export async function putVault(
  db: ShardDb,
  owner: AccountId,
  kind: string,
  { rev, blob }: StoredVault,
): Promise<boolean> {
  const result =
    rev === 0
      ? await sql`
          insert into vault (owner, kind, rev, blob) values (${owner}, ${kind}, 1, ${blob})
          on conflict do nothing`.execute(db)
      : await sql`
          update vault set rev = rev + 1, blob = ${blob}
          where owner = ${owner} and kind = ${kind} and rev = ${rev}`.execute(db);
  return result.numAffectedRows === 1n;
}

/** An archived vault is not replaced: it is the older one. A vault that does not exist is archived as revision 0. */
export async function copyToArchive(
  db: ShardDb,
  owner: AccountId,
  kinds: readonly string[],
  until: number,
): Promise<void> {
  await sql`
    insert into vault_archive (owner, kind, rev, blob, until)
    select ${owner}, k.kind, coalesce(v.rev, 0), coalesce(v.blob, ''), ${until}
    from unnest(${[...kinds]}::text[]) as k (kind) left join vault v on v.owner = ${owner} and v.kind = k.kind
    on conflict (owner, kind) do nothing`.execute(db);
}

export async function deleteVaults(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('vault').where('owner', '=', owner).execute();
}

/** A vault that did not exist when it was archived is deleted. */
export async function moveFromArchive(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`delete from vault where owner = ${owner} and kind in (
    select kind from vault_archive where owner = ${owner})`.execute(db);
  await sql`
    insert into vault (owner, kind, rev, blob)
    select owner, kind, rev, blob from vault_archive where owner = ${owner} and rev > 0`.execute(db);
  await db.deleteFrom('vault_archive').where('owner', '=', owner).execute();
}

export async function deleteArchivesBefore(db: ShardDb, moment: number): Promise<boolean> {
  return deletePage(db, 'vault_archive', sql`until <= ${moment}`);
}
