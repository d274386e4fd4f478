import type { AccountId } from '@dostar/protocol/ids';
import { rolesGranted } from '@dostar/protocol/appwrite/permissions';
import { sql } from 'kysely';
import { parseStoredJson, writeBigJson } from '../../platform/http/bigint-json.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { deletePage } from '../../platform/postgres/paged-delete.ts';

export type Data = Record<string, unknown>;

export interface Document {
  id: string;
  sequence: number;
  data: Data;
  permissions: string[];
  createdAt: number;
  updatedAt: number;
}

export interface StoredDocument extends Document {
  /** The account that created it; null if an API key or a guest did. */
  creator: AccountId | null;
}

export interface Row extends Omit<Document, 'data'> {
  data: string;
}

/** As text: a parser in between would round large numbers. */
export const COLUMNS = sql<Row>`id, sequence, data::text as data, permissions, created_at as "createdAt", updated_at as "updatedAt"`;

export function readRow(row: Row): Document {
  return { ...row, data: parseStoredJson(row.data) as Data };
}

export async function findDocument(
  db: ShardDb,
  owner: AccountId,
  id: string,
  isLocked = false,
): Promise<StoredDocument | undefined> {
  const lock = isLocked ? sql`for update` : sql``;
  const { rows } = await sql<Row & Pick<StoredDocument, 'creator'>>`
    select ${COLUMNS}, creator from document where owner = ${owner} and id = ${id} ${lock}`.execute(db);
  return rows[0] && { ...readRow(rows[0]), creator: rows[0].creator };
}

type NewDocument = Pick<StoredDocument, 'id' | 'data' | 'permissions' | 'creator'>;

/** Undefined if the id is taken. */
export async function insertDocument(
  db: ShardDb,
  owner: AccountId,
  { id, data, permissions, creator }: NewDocument,
  now: number,
): Promise<Document | undefined> {
  const { rows: counted } = await sql<{ last: number }>`
    insert into document_counter (owner, last) values (${owner}, 1)
    on conflict (owner) do update set last = document_counter.last + 1 returning last`.execute(db);
  const sequence = counted[0]!.last;
  const { rows } = await sql`
    insert into document (owner, id, sequence, creator, data, permissions, readers, created_at, updated_at)
    values (${owner}, ${id}, ${sequence}, ${creator}, ${writeBigJson(data)}::jsonb, ${permissions}, ${rolesGranted(permissions, 'read')}, ${now}, ${now})
    on conflict (owner, id) do nothing returning id`.execute(db);
  return rows.length === 0 ? undefined : { id, sequence, data, permissions, createdAt: now, updatedAt: now };
}

export async function updateDocument(
  db: ShardDb,
  owner: AccountId,
  { id, data, permissions, updatedAt }: Document,
): Promise<void> {
  await sql`
    update document set data = ${writeBigJson(data)}::jsonb, permissions = ${permissions},
      readers = ${rolesGranted(permissions, 'read')}, updated_at = ${updatedAt}
    where owner = ${owner} and id = ${id}`.execute(db);
}

export async function deleteDocument(db: ShardDb, owner: AccountId, id: string): Promise<void> {
  await db.deleteFrom('document').where('owner', '=', owner).where('id', '=', id).execute();
}

/** Adds to the usage of an account in a collection; a negative number subtracts. Returns the new usage. */
export async function addUsage(db: ShardDb, owner: AccountId, creator: AccountId, bytes: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    insert into document_usage as u (owner, creator, bytes) values (${owner}, ${creator}, greatest(0, ${bytes}::bigint))
    on conflict (owner, creator) do update set bytes = greatest(0, u.bytes + ${bytes}::bigint) returning bytes`.execute(
    db,
  );
  return rows[0]!.bytes;
}

export async function deleteUsage(db: ShardDb, owner: AccountId, creator: AccountId): Promise<void> {
  await db.deleteFrom('document_usage').where('owner', '=', owner).where('creator', '=', creator).execute();
}

/** One page of them. True if there may be more. */
export async function deleteDocumentsOf(db: ShardDb, owner: AccountId, creator: AccountId): Promise<boolean> {
  return deletePage(db, 'document', sql`owner = ${owner} and creator = ${creator}`);
}
