import { randomUUID } from 'node:crypto';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface OpaqueRecord {
  record: string;
  setup: string;
}

export async function findRecord(
  db: ShardDb,
  owner: AccountId,
): Promise<(OpaqueRecord & { since: number }) | undefined> {
  return db
    .selectFrom('opaque_record')
    .select(['record', 'setup', 'created_at as since'])
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .executeTakeFirst();
}

export async function countRecordsWithOtherSetup(db: ShardDb, setup: string): Promise<number> {
  const { count } = await db
    .selectFrom('opaque_record')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('setup', '!=', setup)
    .executeTakeFirstOrThrow();
  return count;
}

/** Replaces the current record. */
export async function putRecord(db: ShardDb, owner: AccountId, record: OpaqueRecord, now: number): Promise<void> {
  await db
    .insertInto('opaque_record')
    .values({ owner, state: 'current', ...record, created_at: now, until: null })
    .onConflict((conflict) => conflict.columns(['owner', 'state']).doUpdateSet({ ...record, created_at: now }))
    .execute();
}

/** Serializes changes to the wraps of an account: in parallel, two would insert the wrap that may exist once. */
export async function lockWraps(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7039, hashtext(${owner}))`.execute(db);
}

/** Replaces the current wrap of the method. That of a password belongs in the transaction that stores its record. */
export async function putWrap(db: ShardDb, owner: AccountId, wrap: Wrap, now: number): Promise<void> {
  await lockWraps(db, owner);
  await db
    .deleteFrom('key_wrap')
    .where('owner', '=', owner)
    .where('method', '=', wrap.method)
    .where('state', '=', 'current')
    .execute();
  await insertWrap(db, owner, wrap, now);
}

/** Deletes everything that opens the current account key. Archived wraps belong to another key. */
export async function deleteAccountKey(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '!=', 'archived').execute();
  await db.deleteFrom('opaque_record').where('owner', '=', owner).where('state', '!=', 'current').execute();
}

/** If there is an archive already, deletes them: the first archive is the owner's, later wraps may be an attacker's. */
export async function archiveWraps(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  const archived = await db
    .selectFrom('key_wrap')
    .select('id')
    .where('owner', '=', owner)
    .where('state', '=', 'archived')
    .executeTakeFirst();
  if (archived) {
    await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '=', 'current').execute();
    return;
  }
  await db
    .updateTable('key_wrap')
    .set({ state: 'archived', until })
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .execute();
}

/** Restores archived wraps, except that of the password: it may have been changed. */
export async function restoreWraps(db: ShardDb, owner: AccountId): Promise<void> {
  const archived = await db
    .selectFrom('key_wrap')
    .select('id')
    .where('owner', '=', owner)
    .where('state', '=', 'archived')
    .execute();
  if (archived.length === 0) return;
  // Current wraps belong to the new key.
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '=', 'current').execute();
  await db
    .updateTable('key_wrap')
    .set({ state: 'current', until: null })
    .where('owner', '=', owner)
    .where('state', '=', 'archived')
    .where('method', '!=', 'password')
    .execute();
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '=', 'archived').execute();
}

export async function insertWrap(db: ShardDb, owner: AccountId, wrap: Wrap, now: number): Promise<void> {
  await db
    .insertInto('key_wrap')
    .values({
      owner,
      id: randomUUID(),
      method: wrap.method,
      state: 'current',
      params: wrap.params,
      blob: Buffer.from(wrap.blob, 'base64url'),
      credential: (wrap.method === 'passkey' ? wrap.credential : undefined) ?? null,
      created_at: now,
      until: null,
    })
    .execute();
}

export async function listWraps(db: ShardDb, owner: AccountId): Promise<Wrap[]> {
  const rows = await db
    .selectFrom('key_wrap')
    .select(['method', 'params', 'blob', 'credential'])
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .execute();
  return rows.map(({ method, params, blob, credential }) => ({
    method,
    params,
    blob: blob.toString('base64url'),
    ...(credential !== null && { credential }),
  }));
}
