/** Accounts as the directory knows them: found by email address or by an identity at an OpenID provider. */
import { randomUUID } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { createMailbox } from '../../messaging/mailbox/service.ts';
import { findAccountByEmail, findEmailOf, setEmailVerified } from './store.ts';

export { claimIdentity, findAccountOf, releaseIdentities } from './external-identities.ts';
export type { Identity } from './external-identities.ts';
export {
  claimEmail,
  deleteEmailsOf,
  findAccountByEmail,
  listIncompleteAccounts,
  lockEmailOf,
  replaceEmail,
  setEmailComplete,
} from './store.ts';

/** More lookups than a person needs to sign in. */
const LOOKUPS_PER_ADDRESS: RateLimit = { name: 'email-looks', points: 60, perSeconds: 900, scope: 'shared' };

/** Creates the account's mailbox. Idempotent. */
export async function createAccount(ctx: Context, account = randomUUID() as AccountId): Promise<AccountId> {
  await ctx.shards.write(account, (db) => createMailbox(db, account));
  return account;
}

/** Undefined for an address without an account; throws `email_not_found` where the operator lets that be known. */
export async function findAccount(
  ctx: Context,
  email: string,
  address: string,
  /** Accounts that this browser has signed in to: looking them up is not probing. */
  known: readonly AccountId[] = [],
): Promise<AccountId | undefined> {
  // An incomplete account is skipped: the worker may remove it at any time.
  const account = await findCompleteAccount(ctx, email);
  if (account === undefined || !known.includes(account)) await ctx.limits.charge(LOOKUPS_PER_ADDRESS, address);
  if (!account && !ctx.policy.hidesAccounts) throw new AppError('email_not_found');
  return account;
}

/** The account of an address whose sign-up is complete. */
export async function findCompleteAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  const known = await findAccountByEmail(ctx.directory, email);
  return known?.state === 'whole' ? known.account : undefined;
}

/** Includes accounts whose sign-up is incomplete, for operators. */
export async function findAnyAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  return (await findAccountByEmail(ctx.directory, email))?.account;
}

/** The verified address of an account. */
export async function findVerifiedEmail(ctx: Context, account: AccountId): Promise<string | undefined> {
  const email = await findEmailOf(ctx.directory, account);
  return email && email.verifiedAt !== null ? email.address : undefined;
}

/** The address of an account, verified or not, and whether its sign-up is complete. */
export async function describeEmailOf(ctx: Context, account: AccountId) {
  return findEmailOf(ctx.directory, account);
}

export async function markVerified(ctx: Context, account: AccountId): Promise<void> {
  await setEmailVerified(ctx.directory, account, ctx.clock.now());
}

/** Whether the sign-up of the account was not completed. */
export async function isIncompleteAccount(ctx: Context, account: AccountId): Promise<boolean> {
  return (await findEmailOf(ctx.directory, account))?.state !== 'whole';
}
