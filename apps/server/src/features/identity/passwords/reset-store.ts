/** What a reset leaves behind, on the account's shard. */
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export async function findRecovery(db: ShardDb, owner: AccountId) {
  return db
    .selectFrom('recovery')
    .select(['reset_at as resetAt', 'closed_until as closedUntil'])
    .where('owner', '=', owner)
    .executeTakeFirst();
}

/**
 * Archives the password and its wrap together, for unlocking. What an earlier reset archived is kept: otherwise an attacker
 * who owns the email account could delete the owner's key by a second reset.
 *
 * True if this reset archived a password.
 */
export async function archivePassword(db: ShardDb, owner: AccountId, now: number, until: number): Promise<boolean> {
  const hasPreviousPassword = await findOldRecord(db, owner, now);
  const wrap = await findWrap(db, owner, 'password', 'current');
  if (hasPreviousPassword || !wrap) {
    await db.deleteFrom('opaque_record').where('owner', '=', owner).where('state', '=', 'current').execute();
    if (wrap) await db.deleteFrom('key_wrap').where('owner', '=', owner).where('id', '=', wrap.id).execute();
    return false;
  }
  await db.deleteFrom('opaque_record').where('owner', '=', owner).where('state', '=', 'previous').execute();
  await db
    .updateTable('opaque_record')
    .set({ state: 'previous', until })
    .where('owner', '=', owner)
    .where('state', '=', 'current')
    .execute();
  await db
    .deleteFrom('key_wrap')
    .where('owner', '=', owner)
    .where('method', '=', 'password')
    .where('state', '=', 'stale')
    .execute();
  await db
    .updateTable('key_wrap')
    .set({ state: 'stale', until })
    .where('owner', '=', owner)
    .where('id', '=', wrap.id)
    .execute();
  return true;
}

/** The password before the reset, while it still unlocks. */
export async function findOldRecord(db: ShardDb, owner: AccountId, now: number) {
  return db
    .selectFrom('opaque_record')
    .select(['record', 'setup', 'until'])
    .where('owner', '=', owner)
    .where('state', '=', 'previous')
    .where('until', '>', now)
    .executeTakeFirst();
}

/** The one that opens now, or the one a reset has put aside. */
export async function findWrap(
  db: ShardDb,
  owner: AccountId,
  method: 'password' | 'recovery',
  state: 'current' | 'stale',
) {
  return db
    .selectFrom('key_wrap')
    .select(['id', 'method', 'params', 'blob', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .where('method', '=', method)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** `isFirst`: a device created after an earlier unresolved reset does not count as older than this one. */
export async function putReset(db: ShardDb, owner: AccountId, at: number, isFirst: boolean): Promise<void> {
  await db
    .insertInto('recovery')
    .values({ owner, reset_at: at, closed_until: null })
    .onConflict((conflict) =>
      isFirst ? conflict.column('owner').doUpdateSet({ reset_at: at }) : conflict.column('owner').doNothing(),
    )
    .execute();
}

/** The previous password signs in again and opens its wrap; what came after it is deleted. */
export async function restorePassword(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('opaque_record').where('owner', '=', owner).where('state', '=', 'current').execute();
  await db
    .updateTable('opaque_record')
    .set({ state: 'current', until: null })
    .where('owner', '=', owner)
    .where('state', '=', 'previous')
    .execute();
  await db
    .deleteFrom('key_wrap')
    .where('owner', '=', owner)
    .where('method', '=', 'password')
    .where('state', '=', 'current')
    .execute();
  await db
    .updateTable('key_wrap')
    .set({ state: 'current', until: null })
    .where('owner', '=', owner)
    .where('method', '=', 'password')
    .where('state', '=', 'stale')
    .execute();
}

export async function archiveRecoveryWrap(db: ShardDb, owner: AccountId, id: string, until: number): Promise<void> {
  await db
    .updateTable('key_wrap')
    .set({ state: 'stale', until })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** The previous recovery key opens again, in place of one made since the reset. */
export async function restoreRecoveryWrap(db: ShardDb, owner: AccountId): Promise<void> {
  const before = await findWrap(db, owner, 'recovery', 'stale');
  if (!before) return;
  const made = await findWrap(db, owner, 'recovery', 'current');
  if (made) await db.deleteFrom('key_wrap').where('owner', '=', owner).where('id', '=', made.id).execute();
  await db
    .updateTable('key_wrap')
    .set({ state: 'current', until: null })
    .where('owner', '=', owner)
    .where('id', '=', before.id)
    .execute();
}

export async function blockRecovery(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await db.updateTable('recovery').set({ closed_until: until }).where('owner', '=', owner).execute();
}

/** Deletes a page of expired archives of all accounts on a shard. */
export async function deleteExpiredRecoveryData(db: ShardDb, now: number, resetBefore: number): Promise<boolean> {
  const isClosed = sql`closed_until is null or closed_until < ${now}`;
  const hasMore = [
    await deletePage(db, 'opaque_record', sql`until <= ${now}`),
    await deletePage(db, 'key_wrap', sql`until <= ${now}`),
    await deletePage(db, 'recovery', sql`reset_at < ${resetBefore} and (${isClosed})`),
  ];
  return hasMore.includes(true);
}
