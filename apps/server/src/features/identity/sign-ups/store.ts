/** Sign-ups under way, by the hash of their ticket. */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

/** The invite of a sign-up: of the account `inviter`, or of the operator if that is null. */
export interface InviteOfSignUp {
  id: string;
  inviter: AccountId | null;
}

export interface NewSignUp {
  ticketHash: Buffer;
  account: AccountId;
  email: string;
  locale: string;
  setup: string;
  createdAt: number;
  expiresAt: number;
  /** The identity at an OpenID provider that verified the address, and when. */
  verified?: { issuer: string; subject: string; at: number };
  /** The invite that its end uses. */
  invite: InviteOfSignUp | undefined;
  /** Makes no account: links the identity to the one that has the address. */
  isForLink?: boolean | undefined;
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
      invite: signUp.invite?.id ?? null,
      inviter: signUp.invite?.inviter ?? null,
      is_for_link: signUp.isForLink ?? false,
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
      'is_for_link as isForLink',
    ])
    .where('ticket_hash', '=', ticketHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}
export type SignUp = NonNullable<Awaited<ReturnType<typeof findSignUp>>>;

/** The language of the sign-up. */
export async function findSignUpLocale(directory: DirectoryDb, account: AccountId): Promise<string | undefined> {
  const row = await directory.selectFrom('sign_up').select('locale').where('account', '=', account).executeTakeFirst();
  return row?.locale;
}

/** Undefined if the account has no sign-up under way. */
export async function findSignUpOf(directory: DirectoryDb, account: AccountId) {
  const row = await directory
    .selectFrom('sign_up')
    .select(['invite', 'inviter'])
    .where('account', '=', account)
    .executeTakeFirst();
  if (!row) return undefined;
  const invite: InviteOfSignUp | undefined =
    row.invite === null ? undefined : { id: row.invite, inviter: row.inviter as AccountId | null };
  return { invite };
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

/** False if a code was sent a moment ago: of two parallel requests, one sends. */
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

/** Counts the attempt before the code is checked, so that ten parallel guesses are ten attempts. Returns the count so far. */
export async function countCodeAttempt(directory: DirectoryDb, ticketHash: Buffer): Promise<number> {
  const row = await directory
    .updateTable('sign_up')
    .set((eb) => ({ code_tries: eb('code_tries', '+', 1) }))
    .where('ticket_hash', '=', ticketHash)
    .returning('code_tries as tries')
    .executeTakeFirst();
  return row?.tries ?? Infinity;
}

/** Deletes the code too: it works once. */
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
