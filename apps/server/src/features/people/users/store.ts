import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface NewUser {
  owner: AccountId;
  email: string | null;
  username: string;
  verifiedAt: number | null;
  /** The language of emails to the owner. */
  locale?: string | undefined;
  permissions: string[];
  now: number;
}

/** The public master key of an account; null before its first device has published an identity. */
function masterKeyOf(owner: AccountId): RawBuilder<string | null> {
  return sql`(
    select min(named.value) from identity_key k, jsonb_each_text(k.key::jsonb -> 'keys') named
    where k.owner = ${owner} and k.usage = 'master')`;
}

/** False if it was there already. */
export async function insertUser(db: ShardDb, user: NewUser): Promise<boolean> {
  const result = await db
    .insertInto('user_document')
    .values({
      owner: user.owner,
      email: user.email,
      username: user.username,
      verified_at: user.verifiedAt,
      ...(user.locale !== undefined && { locale: user.locale }),
      permissions: user.permissions,
      public_key: masterKeyOf(user.owner),
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findUser(db: ShardDb, owner: AccountId) {
  return db
    .selectFrom('user_document as u')
    .leftJoin('presence as p', 'p.owner', 'u.owner')
    .select([
      'u.email',
      'u.username',
      'u.fcm_tokens as fcmTokens',
      'u.public_key as publicKey',
      'u.verified_at as verifiedAt',
      'u.locale',
      'u.created_at as createdAt',
      'u.updated_at as updatedAt',
      'p.last_online as lastOnline',
    ])
    .where('u.owner', '=', owner)
    .executeTakeFirst();
}

export async function updateUser(
  db: ShardDb,
  owner: AccountId,
  changes: {
    fcmTokens?: string[] | undefined;
    publicKey?: string | undefined;
    locale?: string | undefined;
    email?: string;
    username?: string;
    verifiedAt?: number;
  },
  now: number,
): Promise<void> {
  await db
    .updateTable('user_document')
    .set({
      updated_at: now,
      ...(changes.fcmTokens && { fcm_tokens: changes.fcmTokens }),
      ...(changes.publicKey !== undefined && { public_key: changes.publicKey }),
      ...(changes.locale !== undefined && { locale: changes.locale }),
      ...(changes.email !== undefined && { email: changes.email }),
      ...(changes.username !== undefined && { username: changes.username }),
      ...(changes.verifiedAt !== undefined && { verified_at: changes.verifiedAt }),
    })
    .where('owner', '=', owner)
    .execute();
}

/** Repairs a document that was created while the first identity was being published. */
export async function followMasterKey(db: ShardDb, owner: AccountId): Promise<void> {
  await db
    .updateTable('user_document')
    .set({ public_key: sql`coalesce(${masterKeyOf(owner)}, public_key)` })
    .where('owner', '=', owner)
    .execute();
}

/** What others may see. */
export interface UserCard {
  owner: AccountId;
  username: string;
  publicKey: string | null;
  verifiedAt: number | null;
  locale: string;
}

export async function listCards(db: ShardDb, owners: AccountId[]): Promise<UserCard[]> {
  const rows = await db
    .selectFrom('user_document')
    .select(['owner', 'username', 'public_key as publicKey', 'verified_at as verifiedAt', 'locale'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  return rows as UserCard[];
}
