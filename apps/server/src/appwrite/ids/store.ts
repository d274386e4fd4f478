import { createHash } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../platform/postgres/pools.ts';

/** False if another account has it. */
export async function insertUser(directory: DirectoryDb, id: string, account: AccountId): Promise<boolean> {
  const result = await directory
    .insertInto('service_user')
    .values({ id, account })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function insertEmail(directory: DirectoryDb, address: string, account: AccountId): Promise<boolean> {
  const result = await directory
    .insertInto('service_email')
    .values({ address, account })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findByEmail(directory: DirectoryDb, address: string): Promise<AccountId | undefined> {
  const row = await directory
    .selectFrom('service_email')
    .select('account')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.account as AccountId | undefined;
}

export async function findById(directory: DirectoryDb, id: string): Promise<AccountId | undefined> {
  const row = await directory.selectFrom('service_user').select('account').where('id', '=', id).executeTakeFirst();
  return row?.account as AccountId | undefined;
}

export async function findIdOf(directory: DirectoryDb, account: AccountId): Promise<string | undefined> {
  const row = await directory.selectFrom('service_user').select('id').where('account', '=', account).executeTakeFirst();
  return row?.id;
}

/** False if the address is no longer this account's. */
export async function setProved(
  directory: DirectoryDb,
  address: string,
  account: AccountId,
  now: number,
): Promise<boolean> {
  const result = await directory
    .updateTable('service_email')
    .set({ verified_at: now })
    .where('address', '=', address)
    .where('account', '=', account)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export interface Identity {
  issuer: string;
  subject: string;
}

export async function findByIdentity(
  directory: DirectoryDb,
  { issuer, subject }: Identity,
): Promise<AccountId | undefined> {
  const row = await directory
    .selectFrom('service_identity')
    .select('account')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account as AccountId | undefined;
}

/** Does nothing if an account has the identity already. */
export async function insertIdentity(
  directory: DirectoryDb,
  identity: Identity,
  account: AccountId,
  now: number,
): Promise<void> {
  await directory
    .insertInto('service_identity')
    .values({ issuer: identity.issuer, subject: identity.subject, account, since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Hashed, so that the id of a removed account is not kept. */
function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

export async function reserveIdOf(directory: DirectoryDb, account: AccountId, now: number): Promise<void> {
  const id = await findIdOf(directory, account);
  if (id === undefined) return;
  await directory
    .insertInto('service_former_id')
    .values({ hash: hashOf(id), since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isFormerId(directory: DirectoryDb, id: string): Promise<boolean> {
  const row = await directory
    .selectFrom('service_former_id')
    .select('since')
    .where('hash', '=', hashOf(id))
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('service_user').where('account', '=', account).execute();
  await directory.deleteFrom('service_email').where('account', '=', account).execute();
  await directory.deleteFrom('service_identity').where('account', '=', account).execute();
}

export async function deleteOtherEmails(directory: DirectoryDb, account: AccountId, kept: string): Promise<void> {
  await directory.deleteFrom('service_email').where('account', '=', account).where('address', '<>', kept).execute();
}

export async function deleteUnproved(directory: DirectoryDb, address: string): Promise<void> {
  await directory.deleteFrom('service_email').where('address', '=', address).where('verified_at', 'is', null).execute();
}
