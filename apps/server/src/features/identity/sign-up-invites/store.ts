/** Invites of the operator. */
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface OperatorInvite {
  id: string;
  /** Null: for any address that the server accepts. */
  email: string | null;
  note: string | null;
  uses: number;
  usesLeft: number;
  createdAt: number;
  expiresAt: number;
}

export async function insertInvite(directory: DirectoryDb, secretHash: Buffer, invite: OperatorInvite): Promise<void> {
  const { id, email, note, uses, usesLeft, createdAt, expiresAt } = invite;
  await directory
    .insertInto('sign_up_invite')
    .values({
      id,
      secret_hash: secretHash,
      email,
      note,
      uses,
      uses_left: usesLeft,
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute();
}

/** Those that have not expired, newest first; also those that are used up. */
export async function listInvites(directory: DirectoryDb, now: number): Promise<OperatorInvite[]> {
  return directory
    .selectFrom('sign_up_invite')
    .select([
      'id',
      'email',
      'note',
      'uses',
      'uses_left as usesLeft',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

/** One that lets another person in. */
export async function findInvite(directory: DirectoryDb, secretHash: Buffer, now: number) {
  return directory
    .selectFrom('sign_up_invite')
    .select(['id', 'email'])
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0)
    .executeTakeFirst();
}

/** False if no use is left. The row lock makes a second sign-up wait for the end of the first one's transaction. */
export async function takeUse(directory: DirectoryDb, id: string, now: number): Promise<boolean> {
  const result = await directory
    .updateTable('sign_up_invite')
    .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** False if there is none of that id. */
export async function deleteInvite(directory: DirectoryDb, id: string): Promise<boolean> {
  const result = await directory.deleteFrom('sign_up_invite').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteExpiredInvites(directory: DirectoryDb, now: number): Promise<void> {
  await directory.deleteFrom('sign_up_invite').where('expires_at', '<=', now).execute();
}
