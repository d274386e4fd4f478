import type { AccountId } from '@dostar/protocol/ids';
import type { Selectable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type TokenRow = Selectable<ShardTables['service_token']>;

/** Deletes expired tokens of the account first. */
export async function insertToken(db: ShardDb, token: TokenRow): Promise<void> {
  await db
    .deleteFrom('service_token')
    .where('owner', '=', token.owner)
    .where('expires_at', '<=', token.created_at)
    .execute();
  await db.insertInto('service_token').values(token).execute();
}

/** Undefined for the second use. */
export async function takeToken(
  db: ShardDb,
  owner: AccountId,
  { purpose, hash, now }: Pick<TokenRow, 'purpose' | 'hash'> & { now: number },
): Promise<TokenRow | undefined> {
  return db
    .deleteFrom('service_token')
    .where('owner', '=', owner)
    .where('purpose', '=', purpose)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteTokens(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('service_token').where('owner', '=', owner).execute();
}
