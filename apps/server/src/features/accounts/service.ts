import { randomUUID } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { Limit } from '../../platform/limits.ts';
import { createMailbox } from '../mailbox/service.ts';
import { deleteRowsOf } from '../placement/service.ts';
import { endOtherSessions } from '../sessions/service.ts';
import { createUserDocument } from '../users/service.ts';
import { releaseUsername } from '../usernames/service.ts';
import {
  deleteEmailsOf,
  deleteSignUpsOf,
  findAccountByEmail,
  findEmailOf,
  findSignUp,
  setEmailVerified,
  setEmailWhole,
} from './store.ts';
import type { SignUp } from './store.ts';
import { hashTicket } from './tickets.ts';

/** Whoever asks for many addresses is not signing in. */
const LOOKS_PER_ADDRESS: Limit = { name: 'email-looks', points: 60, perSeconds: 900, scope: 'shared' };
import { count } from '../stats/service.ts';

/** An account begins with its mailbox. Doing it again changes nothing. */
export async function createAccount(ctx: Context, account = randomUUID() as AccountId): Promise<AccountId> {
  const isNew = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => createMailbox(db, account)),
  );
  if (isNew) count(ctx, 'users');
  return account;
}

/** Undefined for an address without an account; throws `email_not_found` where the operator lets that be known. */
export async function findAccount(ctx: Context, email: string, address: string): Promise<AccountId | undefined> {
  await ctx.limits.charge(LOOKS_PER_ADDRESS, address);
  const known = await findAccountByEmail(ctx.directory, email);
  if (!known && !ctx.policy.hidesAccounts) throw new AppError('email_not_found');
  return known?.account;
}

export async function markVerified(ctx: Context, account: AccountId): Promise<void> {
  await setEmailVerified(ctx.directory, account, ctx.clock.now());
}

/** The last step of a sign-up: with its document the account is whole, and its sign-up is over. */
export async function completeAccount(ctx: Context, account: AccountId): Promise<void> {
  const email = await findEmailOf(ctx.directory, account);
  const profile = { email: email?.address ?? null, verifiedAt: email?.verifiedAt ?? null };
  await createUserDocument(ctx, account, profile);
  await setEmailWhole(ctx.directory, account);
  await deleteSignUpsOf(ctx.directory, account);
}

/**
 * Removes everything of an account. Others keep their copies of what it sent.
 *
 * Order matters: the shard first, the address last. An interruption leaves an address that leads to nothing and can be
 * removed again, never rows that nobody finds.
 */
export async function removeAccount(ctx: Context, account: AccountId): Promise<void> {
  const wasUsed = (await findEmailOf(ctx.directory, account))?.state === 'whole';
  await endOtherSessions(ctx, account);
  await deleteRowsOf(ctx, account);
  await releaseUsername(ctx, account, wasUsed);
  await deleteSignUpsOf(ctx.directory, account);
  await deleteEmailsOf(ctx.directory, account);
}

/** The browser that began a sign-up, and the account it may act on. */
export async function authenticateTicket(ctx: Context, ticket: string | undefined) {
  const signUp = await requireSignUp(ctx, ticket);
  return { account: signUp.account as AccountId, ticket: signUp.ticket, isVerified: signUp.verifiedAt !== null };
}

export async function requireSignUp(ctx: Context, ticket: string | undefined): Promise<SignUp & { ticket: string }> {
  if (ticket === undefined) throw new AppError('no_sign_up');
  const signUp = await findSignUp(ctx.directory, hashTicket(ticket), ctx.clock.now());
  if (!signUp) throw new AppError('no_sign_up');
  return { ...signUp, ticket };
}
