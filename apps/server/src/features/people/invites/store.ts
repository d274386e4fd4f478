import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

interface NewInvite {
  owner: AccountId;
  id: string;
  secretHash: Buffer;
  createdAt: number;
  expiresAt: number;
  usesLeft: number;
}

export async function insertInvite(db: ShardDb, invite: NewInvite): Promise<void> {
  const { owner, id, secretHash, createdAt, expiresAt, usesLeft } = invite;
  await db
    .insertInto('invite')
    .values({ owner, id, secret_hash: secretHash, created_at: createdAt, expires_at: expiresAt, uses_left: usesLeft })
    .execute();
}

/** Valid invites, newest first. */
export async function listInvites(db: ShardDb, owner: AccountId, now: number) {
  return db
    .selectFrom('invite')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'uses_left as usesLeft'])
    .where('owner', '=', owner)
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function deleteInvite(db: ShardDb, owner: AccountId, id: string): Promise<void> {
  await db.deleteFrom('invite_use').where('owner', '=', owner).where('invite', '=', id).execute();
  await db.deleteFrom('invite').where('owner', '=', owner).where('id', '=', id).execute();
}

export async function deleteExpiredInvites(db: ShardDb, owner: AccountId, now: number): Promise<void> {
  const expired = db.selectFrom('invite').select('id').where('owner', '=', owner).where('expires_at', '<=', now);
  await db.deleteFrom('invite_use').where('owner', '=', owner).where('invite', 'in', expired).execute();
  await db.deleteFrom('invite').where('owner', '=', owner).where('expires_at', '<=', now).execute();
}

/** The caller holds the owner's mailbox, so two guests can't both take the last use. */
export async function findInviteBySecret(db: ShardDb, owner: AccountId, secretHash: Buffer, now: number) {
  return db
    .selectFrom('invite')
    .select(['id', 'uses_left as usesLeft'])
    .where('owner', '=', owner)
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function findInviteById(db: ShardDb, owner: AccountId, id: string, now: number) {
  return db
    .selectFrom('invite')
    .select('uses_left as usesLeft')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** False if this account has used it before. */
export async function insertUse(
  db: ShardDb,
  owner: AccountId,
  invite: string,
  account: AccountId,
  isReserved: boolean,
): Promise<boolean> {
  const result = await db
    .insertInto('invite_use')
    .values({ owner, invite, account, is_reserved: isReserved })
    .onConflict((conflict) => conflict.columns(['owner', 'invite', 'account']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False if this account has reserved no use, or has redeemed it. */
export async function redeemReservedUse(
  db: ShardDb,
  owner: AccountId,
  invite: string,
  account: AccountId,
): Promise<boolean> {
  const result = await db
    .updateTable('invite_use')
    .set({ is_reserved: false })
    .where('owner', '=', owner)
    .where('invite', '=', invite)
    .where('account', '=', account)
    .where('is_reserved', '=', true)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** False if this account has reserved no use, or has redeemed it. */
export async function deleteReservedUse(
  db: ShardDb,
  owner: AccountId,
  invite: string,
  account: AccountId,
): Promise<boolean> {
  const result = await db
    .deleteFrom('invite_use')
    .where('owner', '=', owner)
    .where('invite', '=', invite)
    .where('account', '=', account)
    .where('is_reserved', '=', true)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function addToUses(db: ShardDb, owner: AccountId, id: string, count: number): Promise<void> {
  await db
    .updateTable('invite')
    .set((row) => ({ uses_left: row('uses_left', '+', count) }))
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}
