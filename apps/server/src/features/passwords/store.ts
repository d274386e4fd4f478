import { randomUUID } from 'node:crypto';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';

export interface OpaqueRecord {
  record: string;
  setup: string;
}

export async function findRecord(db: ShardDb, owner: AccountId): Promise<OpaqueRecord | undefined> {
  return db
    .selectFrom('opaque_record')
    .select(['record', 'setup'])
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .executeTakeFirst();
}

/** Takes the place of the one before. */
export async function putRecord(db: ShardDb, owner: AccountId, record: OpaqueRecord, now: number): Promise<void> {
  await db
    .insertInto('opaque_record')
    .values({ owner, state: 'current', ...record, created_at: now, until: null })
    .onConflict((conflict) => conflict.columns(['owner', 'state']).doUpdateSet({ ...record, created_at: now }))
    .execute();
}

/** The password's wrap takes the place of the one before; call it in the transaction that puts the record. */
export async function putPasswordWrap(db: ShardDb, owner: AccountId, wrap: Wrap, now: number): Promise<void> {
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('method', '=', 'password').execute();
  await db
    .insertInto('key_wrap')
    .values({
      owner,
      id: randomUUID(),
      method: 'password',
      state: 'current',
      params: wrap.params,
      blob: Buffer.from(wrap.blob, 'base64url'),
      created_at: now,
      until: null,
    })
    .execute();
}

export async function listWraps(db: ShardDb, owner: AccountId): Promise<Wrap[]> {
  const rows = await db
    .selectFrom('key_wrap')
    .select(['method', 'params', 'blob'])
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .execute();
  return rows.map(({ method, params, blob }) => ({ method, params, blob: blob.toString('base64url') }));
}
