/** Sign-ups under way and the map from addresses to accounts. */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface NewSignUp {
  ticketHash: Buffer;
  account: AccountId;
  email: string;
  locale: string;
  setup: string;
  createdAt: number;
  expiresAt: number;
  /** Proved at an OpenID provider, and by whom. */
  verified?: { issuer: string; subject: string; at: number };
}

export async function insertSignUp(directory: DirectoryDb, signUp: NewSignUp): Promise<void> {
  await directory
    .insertInto('sign_up')
    .values({
      ticket_hash: signUp.ticketHash,
      account: signUp.account,
      email: signUp.email,
      locale: signUp.locale,
      setup: signUp.setup,
      created_at: signUp.createdAt,
      expires_at: signUp.expiresAt,
      ...(signUp.verified && {
        issuer: signUp.verified.issuer,
        subject: signUp.verified.subject,
        verified_at: signUp.verified.at,
      }),
    })
    .execute();
}

export async function findSignUp(directory: DirectoryDb, ticketHash: Buffer, now: number) {
  return directory
    .selectFrom('sign_up')
    .select([
      'account',
      'email',
      'locale',
      'setup',
      'record',
      'wrap',
      'code_hash as codeHash',
      'code_at as codeAt',
      'code_tries as codeTries',
      'verified_at as verifiedAt',
      'issuer',
      'subject',
    ])
    .where('ticket_hash', '=', ticketHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}
export type SignUp = NonNullable<Awaited<ReturnType<typeof findSignUp>>>;

/** The language somebody is signing up in. */
export async function findSignUpLocale(directory: DirectoryDb, account: AccountId): Promise<string | undefined> {
  const row = await directory.selectFrom('sign_up').select('locale').where('account', '=', account).executeTakeFirst();
  return row?.locale;
}

export async function setSignUpSetup(directory: DirectoryDb, ticketHash: Buffer, setup: string): Promise<void> {
  await directory.updateTable('sign_up').set({ setup }).where('ticket_hash', '=', ticketHash).execute();
}

export async function setSignUpRecord(
  directory: DirectoryDb,
  ticketHash: Buffer,
  record: string,
  wrap: Wrap,
): Promise<void> {
  await directory
    .updateTable('sign_up')
    .set({ record, wrap: JSON.stringify(wrap) })
    .where('ticket_hash', '=', ticketHash)
    .execute();
}

/** False if one was sent a moment ago: of two requests at once one sends. */
export async function setSignUpCode(
  directory: DirectoryDb,
  ticketHash: Buffer,
  code: { hash: Buffer; at: number; notAfter: number },
): Promise<boolean> {
  const result = await directory
    .updateTable('sign_up')
    .set({ code_hash: code.hash, code_at: code.at, code_tries: 0, verified_at: null })
    .where('ticket_hash', '=', ticketHash)
    .where((eb) => eb.or([eb('code_at', 'is', null), eb('code_at', '<=', code.notAfter)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Counts the try before it is judged, so that ten guesses at once are ten tries. The number of tries so far. */
export async function countCodeAttempt(directory: DirectoryDb, ticketHash: Buffer): Promise<number> {
  const row = await directory
    .updateTable('sign_up')
    .set((eb) => ({ code_tries: eb('code_tries', '+', 1) }))
    .where('ticket_hash', '=', ticketHash)
    .returning('code_tries as tries')
    .executeTakeFirst();
  return row?.tries ?? Infinity;
}

/** A code works once: it is gone with its success. */
export async function setSignUpVerified(directory: DirectoryDb, ticketHash: Buffer, at: number): Promise<void> {
  await directory
    .updateTable('sign_up')
    .set({ verified_at: at, code_hash: null })
    .where('ticket_hash', '=', ticketHash)
    .execute();
}

export async function deleteSignUp(directory: DirectoryDb, ticketHash: Buffer): Promise<void> {
  await directory.deleteFrom('sign_up').where('ticket_hash', '=', ticketHash).execute();
}

export async function deleteSignUpsOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('sign_up').where('account', '=', account).execute();
}

export async function deleteExpiredSignUps(directory: DirectoryDb, now: number): Promise<void> {
  await directory.deleteFrom('sign_up').where('expires_at', '<=', now).execute();
}

export async function findAccountByEmail(directory: DirectoryDb, address: string) {
  const row = await directory
    .selectFrom('email')
    .select(['account', 'state', 'verified_at as verifiedAt', 'since'])
    .where('address', '=', address)
    .executeTakeFirst();
  return row && { ...row, account: row.account as AccountId };
}

export async function findEmailOf(directory: DirectoryDb, account: AccountId) {
  return directory
    .selectFrom('email')
    .select(['address', 'state', 'verified_at as verifiedAt'])
    .where('account', '=', account)
    .executeTakeFirst();
}

/** False if the address belongs to another account. */
export async function claimEmail(
  directory: DirectoryDb,
  address: string,
  account: AccountId,
  now: number,
): Promise<boolean> {
  await directory
    .insertInto('email')
    .values({ address, account, state: 'half', verified_at: null, since: now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .execute();
  return (await findAccountByEmail(directory, address))?.account === account;
}

export async function setEmailVerified(directory: DirectoryDb, account: AccountId, at: number): Promise<void> {
  await directory.updateTable('email').set({ verified_at: at }).where('account', '=', account).execute();
}

/** How far its sign-up has come, in a transaction that keeps it there; undefined for an account without an address. */
export async function lockEmailOf(directory: DirectoryDb, account: AccountId) {
  const row = await directory
    .selectFrom('email')
    .select('state')
    .where('account', '=', account)
    .forUpdate()
    .executeTakeFirst();
  return row?.state;
}

export async function setEmailComplete(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.updateTable('email').set({ state: 'whole' }).where('account', '=', account).execute();
}

export async function deleteEmailsOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('email').where('account', '=', account).execute();
}

/** Sign-ups that never came to their end. */
export async function listIncompleteAccounts(
  directory: DirectoryDb,
  before: number,
  limit: number,
): Promise<AccountId[]> {
  const rows = await directory
    .selectFrom('email')
    .select('account')
    .where('state', '=', 'half')
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map((row) => row.account as AccountId);
}

/** Begun again, it is as if begun now: whoever looks for what was interrupted leaves it to whoever began. */
export async function putPendingRemoval(directory: DirectoryDb, account: AccountId, now: number): Promise<void> {
  await directory
    .insertInto('departing')
    .values({ account, since: now })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ since: now }))
    .execute();
}

export async function isRemovalPending(directory: DirectoryDb, account: AccountId): Promise<boolean> {
  const row = await directory
    .selectFrom('departing')
    .select('account')
    .where('account', '=', account)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listPendingRemovals(directory: DirectoryDb, before: number, limit: number): Promise<AccountId[]> {
  const rows = await directory
    .selectFrom('departing')
    .select('account')
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map((row) => row.account as AccountId);
}

export async function deletePendingRemoval(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('departing').where('account', '=', account).execute();
}
