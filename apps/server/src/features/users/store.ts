import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';

export interface NewUser {
  owner: AccountId;
  email: string | null;
  username: string;
  verifiedAt: number | null;
  permissions: string[];
  now: number;
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
      permissions: user.permissions,
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
      'p.last_online as lastOnline',
    ])
    .where('u.owner', '=', owner)
    .executeTakeFirst();
}

export async function updateUser(
  db: ShardDb,
  owner: AccountId,
  changes: { fcmTokens?: string[] | undefined; publicKey?: string | undefined },
  now: number,
): Promise<void> {
  await db
    .updateTable('user_document')
    .set({
      updated_at: now,
      ...(changes.fcmTokens && { fcm_tokens: changes.fcmTokens }),
      ...(changes.publicKey !== undefined && { public_key: changes.publicKey }),
    })
    .where('owner', '=', owner)
    .execute();
}
