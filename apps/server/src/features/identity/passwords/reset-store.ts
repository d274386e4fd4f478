/** The SQL of password resets: the last reset, the archived password and the archived recovery key. */
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
    await deletePassword(db, owner, CURRENT);
    return false;
  }
  await movePassword(db, owner, CURRENT, PREVIOUS, until);
  return true;
}

/** The states of a password's record and of its wrap. */
interface PasswordState {
  record: 'current' | 'previous';
  wrap: 'current' | 'stale';
}
const CURRENT: PasswordState = { record: 'current', wrap: 'current' };
/** The password before the last reset. */
const PREVIOUS: PasswordState = { record: 'previous', wrap: 'stale' };

/** Replaces the password that is in state `to`. */
async function movePassword(
  db: ShardDb,
  owner: AccountId,
  from: PasswordState,
  to: PasswordState,
  until: number | null,
): Promise<void> {
  await deletePassword(db, owner, to);
  await db
    .updateTable('opaque_record')
    .set({ state: to.record, until })
    .where('owner', '=', owner)
    .where('state', '=', from.record)
    .execute();
  await db
    .updateTable('key_wrap')
    .set({ state: to.wrap, until })
    .where('owner', '=', owner)
    .where('method', '=', 'password')
    .where('state', '=', from.wrap)
    .execute();
}

async function deletePassword(db: ShardDb, owner: AccountId, { record, wrap }: PasswordState): Promise<void> {
  await db.deleteFrom('opaque_record').where('owner', '=', owner).where('state', '=', record).execute();
  await db
    .deleteFrom('key_wrap')
    .where('owner', '=', owner)
    .where('method', '=', 'password')
    .where('state', '=', wrap)
    .execute();
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

/** `current`: opens the account key now. `stale`: archived by a reset. */
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

/** Restores the previous password and its wrap, and deletes the newer password. */
export async function restorePassword(db: ShardDb, owner: AccountId): Promise<void> {
  await movePassword(db, owner, PREVIOUS, CURRENT, null);
}

export async function archiveRecoveryWrap(db: ShardDb, owner: AccountId, id: string, until: number): Promise<void> {
  await db
    .updateTable('key_wrap')
    .set({ state: 'stale', until })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** Restores the previous recovery key and deletes one that was created since the reset. */
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
