import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Selectable, Updateable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type AccountRow = Selectable<ShardTables['service_account']>;
export type SessionRow = Selectable<ShardTables['service_session']>;

interface NewAccount {
  owner: AccountId;
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  now: number;
}

export async function insertAccount(db: ShardDb, { passwordHash, now, ...account }: NewAccount): Promise<void> {
  await db
    .insertInto('service_account')
    .values({
      ...account,
      password_hash: passwordHash,
      password_at: now,
      created_at: now,
      updated_at: now,
      accessed_at: now,
    })
    .execute();
}

export async function findAccount(db: ShardDb, owner: AccountId): Promise<AccountRow | undefined> {
  return db.selectFrom('service_account').selectAll().where('owner', '=', owner).executeTakeFirst();
}

export async function updateAccount(
  db: ShardDb,
  owner: AccountId,
  changes: Updateable<ShardTables['service_account']>,
): Promise<void> {
  await db.updateTable('service_account').set(changes).where('owner', '=', owner).execute();
}

export async function setVerified(db: ShardDb, owner: AccountId, email: string, now: number): Promise<void> {
  await db
    .updateTable('service_account')
    .set({ verified_at: now })
    .where('owner', '=', owner)
    .where('email', '=', email)
    .execute();
}

export async function insertSession(db: ShardDb, session: SessionRow): Promise<void> {
  await db.insertInto('service_session').values(session).execute();
}

export async function findSessionBySecret(
  db: ShardDb,
  owner: AccountId,
  hash: Buffer,
  now: number,
): Promise<SessionRow | undefined> {
  return selectValid(db, owner, now).where('secret_hash', '=', hash).executeTakeFirst();
}

export async function findSession(
  db: ShardDb,
  owner: AccountId,
  id: string,
  now: number,
): Promise<SessionRow | undefined> {
  return selectValid(db, owner, now).where('id', '=', id).executeTakeFirst();
}

export async function listSessions(db: ShardDb, owner: AccountId, now: number): Promise<SessionRow[]> {
  return selectValid(db, owner, now).orderBy('created_at').execute();
}

/** A session expires after this time without use. */
export const SESSION_IDLE_MS = 90 * 24 * 3_600_000;

function selectValid(db: ShardDb, owner: AccountId, now: number) {
  return db
    .selectFrom('service_session')
    .selectAll()
    .where('owner', '=', owner)
    .where('expires_at', '>', now)
    .where('updated_at', '>', now - SESSION_IDLE_MS);
}

export async function updateSession(
  db: ShardDb,
  owner: AccountId,
  id: string,
  changes: Updateable<ShardTables['service_session']>,
): Promise<void> {
  await db.updateTable('service_session').set(changes).where('owner', '=', owner).where('id', '=', id).execute();
}

/** Never goes back: callers do not wait for it, so it may run after the write of a later call. */
export async function markSessionUsed(db: ShardDb, owner: AccountId, id: string, now: number): Promise<void> {
  await db
    .updateTable('service_session')
    .set({ updated_at: now })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('updated_at', '<', now)
    .execute();
}

/** Merges in the database, so that two parallel calls both count. */
export async function addFactors(
  db: ShardDb,
  owner: AccountId,
  id: string,
  factors: string[],
  mfaAt: number | undefined,
): Promise<void> {
  await db
    .updateTable('service_session')
    .set({
      factors: sql<string[]>`factors || array(select f from unnest(${factors}::text[]) f where f <> all (factors))`,
      ...(mfaAt !== undefined && { mfa_at: mfaAt }),
    })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** False if there was no such session. */
export async function deleteSession(db: ShardDb, owner: AccountId, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('service_session')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteSessions(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('service_session').where('owner', '=', owner).execute();
}
