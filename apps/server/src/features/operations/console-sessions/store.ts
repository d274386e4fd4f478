/** Links to the operator's console and its sessions, by the hash of their secret. */
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export async function insertLink(
  directory: DirectoryDb,
  link: { secretHash: Buffer; operator: string; expiresAt: number },
): Promise<void> {
  const { secretHash, operator, expiresAt } = link;
  await directory
    .insertInto('console_link')
    .values({ secret_hash: secretHash, operator, expires_at: expiresAt })
    .execute();
}

/** Deletes the link and returns its operator; undefined if it was used, has expired or never existed. */
export async function takeLink(directory: DirectoryDb, secretHash: Buffer, now: number): Promise<string | undefined> {
  const row = await directory
    .deleteFrom('console_link')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .returning('operator')
    .executeTakeFirst();
  return row?.operator;
}

export async function insertSession(
  directory: DirectoryDb,
  session: { tokenHash: Buffer; operator: string; now: number; expiresAt: number },
): Promise<void> {
  const { tokenHash, operator, now, expiresAt } = session;
  await directory
    .insertInto('console_session')
    .values({ token_hash: tokenHash, operator, seen_at: now, expires_at: expiresAt })
    .execute();
}

export async function findSession(directory: DirectoryDb, tokenHash: Buffer) {
  return directory
    .selectFrom('console_session')
    .select(['operator', 'seen_at as seenAt', 'expires_at as expiresAt'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function setSeen(directory: DirectoryDb, tokenHash: Buffer, seenAt: number): Promise<void> {
  await directory.updateTable('console_session').set({ seen_at: seenAt }).where('token_hash', '=', tokenHash).execute();
}

export async function deleteSession(directory: DirectoryDb, tokenHash: Buffer): Promise<void> {
  await directory.deleteFrom('console_session').where('token_hash', '=', tokenHash).execute();
}

/** Returns the number of sessions. */
export async function deleteAll(directory: DirectoryDb): Promise<number> {
  await directory.deleteFrom('console_link').execute();
  const { numDeletedRows } = await directory.deleteFrom('console_session').executeTakeFirst();
  return Number(numDeletedRows);
}

/** `unseenSince`: sessions without a call since then have ended. */
export async function deleteExpired(directory: DirectoryDb, now: number, unseenSince: number): Promise<void> {
  await directory.deleteFrom('console_link').where('expires_at', '<=', now).execute();
  await directory
    .deleteFrom('console_session')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', unseenSince)]))
    .execute();
}
