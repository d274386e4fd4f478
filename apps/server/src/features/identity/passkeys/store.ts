import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface NewPasskey {
  owner: AccountId;
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  name: string;
  now: number;
}

export async function insertPasskey(db: ShardDb, passkey: NewPasskey): Promise<void> {
  await db
    .insertInto('passkey')
    .values({
      owner: passkey.owner,
      id: passkey.id,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      created_at: passkey.now,
      last_used_at: null,
    })
    .execute();
}

export async function listPasskeys(db: ShardDb, owner: AccountId) {
  return db
    .selectFrom('passkey as p')
    .leftJoin('key_wrap as w', (join) =>
      join.onRef('w.owner', '=', 'p.owner').onRef('w.credential', '=', 'p.id').on('w.state', '=', 'current'),
    )
    .select([
      'p.id',
      'p.name',
      'p.transports',
      'p.created_at as createdAt',
      'p.last_used_at as lastUsedAt',
      'w.id as wrap',
    ])
    .where('p.owner', '=', owner)
    .orderBy('p.created_at')
    .limit(100)
    .execute();
}

export async function findPasskey(db: ShardDb, owner: AccountId, id: string) {
  return db
    .selectFrom('passkey')
    .select(['public_key as publicKey', 'counter', 'transports', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function setUsed(db: ShardDb, owner: AccountId, id: string, counter: number, now: number): Promise<void> {
  await db
    .updateTable('passkey')
    .set({ counter, last_used_at: now })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** False if there is no such passkey. */
export async function setName(db: ShardDb, owner: AccountId, id: string, name: string): Promise<boolean> {
  const result = await db
    .updateTable('passkey')
    .set({ name })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deletePasskey(db: ShardDb, owner: AccountId, id: string): Promise<void> {
  await db.deleteFrom('passkey').where('owner', '=', owner).where('id', '=', id).execute();
}

/** Deletes their wraps too. */
export async function deletePasskeysSince(db: ShardDb, owner: AccountId, moment: number): Promise<void> {
  const gone = await db
    .deleteFrom('passkey')
    .where('owner', '=', owner)
    .where('created_at', '>=', moment)
    .returning('id')
    .execute();
  for (const { id } of gone) await deleteWrapOf(db, owner, id);
}

/** In every state: a removed passkey opens no archived key either. False if it had no wrap. */
export async function deleteWrapOf(db: ShardDb, owner: AccountId, credential: string): Promise<boolean> {
  const result = await db
    .deleteFrom('key_wrap')
    .where('owner', '=', owner)
    .where('credential', '=', credential)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function hasWraps(db: ShardDb, owner: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('key_wrap')
    .select('id')
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .executeTakeFirst();
  return row !== undefined;
}
