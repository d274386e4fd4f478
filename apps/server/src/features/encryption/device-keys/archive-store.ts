import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

/** Copies all keys or none: keys of two identities would not match. */
export async function copyIdentity(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await sql`
    insert into identity_archive (owner, usage, key, until)
    select owner, usage, key, ${until} from identity_key
    where owner = ${owner} and not exists (select from identity_archive where owner = ${owner})`.execute(db);
}

/** Returns the master key; undefined if there is no archive. */
export async function restoreArchivedIdentity(db: ShardDb, owner: AccountId): Promise<string | undefined> {
  const { rows } = await sql<{ usage: string; key: string }>`
    delete from identity_archive where owner = ${owner} returning usage, key`.execute(db);
  const master = rows.find(({ usage }) => usage === 'master')?.key;
  if (master === undefined) return undefined;
  await db.deleteFrom('identity_key').where('owner', '=', owner).execute();
  for (const { usage, key } of rows) {
    await sql`insert into identity_key (owner, usage, key, created_at) values (${owner}, ${usage}, ${key}, 0)`.execute(
      db,
    );
  }
  return master;
}

export async function deleteIdentityArchives(db: ShardDb, until: number): Promise<boolean> {
  return deletePage(db, 'identity_archive', sql`until <= ${until}`);
}
