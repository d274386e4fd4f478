import type { AccountId } from '@dostar/protocol/ids';
import { permissionsNaming, rolesNaming } from '@dostar/protocol/appwrite/permissions';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';

const PAGE = 500;

export type ItemTable = 'document' | 'file';

/** Changes one page. Returns how many rows named the user. */
export async function removePermissions(
  db: ShardDb,
  table: ItemTable,
  { owner, user }: { owner: AccountId; user: string },
): Promise<number> {
  const gone = permissionsNaming(user);
  const { rows } = await sql`
    update ${sql.table(table)} t set
      permissions = array(select p from unnest(t.permissions) with ordinality as u (p, n) where p <> all (${gone}::text[]) order by n),
      readers = array(select r from unnest(t.readers) with ordinality as u (r, n) where r <> all (${rolesNaming(user)}::text[]) order by n)
    where t.owner = ${owner} and t.id = any (array(
      select id from ${sql.table(table)} where owner = ${owner} and permissions && ${gone}::text[] limit ${PAGE}))
    returning t.id`.execute(db);
  return rows.length;
}

/** For lists: everything in a container, or what these roles may read. */
export function listableItems(owner: AccountId, readers: readonly string[] | undefined): RawBuilder<boolean> {
  const own = sql<boolean>`owner = ${owner}`;
  return readers === undefined ? own : sql<boolean>`(${own} and readers && ${[...readers]}::text[])`;
}
