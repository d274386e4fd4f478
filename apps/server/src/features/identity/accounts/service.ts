import { randomUUID } from 'node:crypto';
import { SIGN_UP_LIFETIME_MS } from '@dostar/protocol/contract/accounts';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { addAssistantContact } from '../../operations/assistants/service.ts';
import { removeLinksOf } from '../email-links/service.ts';
import { releaseIdentities } from './external-identities.ts';
import type { Identity } from './external-identities.ts';
import { deleteBlobsOf } from '../../messaging/attachments/service.ts';
import { sendNotice } from '../../operations/email/service.ts';
import { listKeyWatchers } from '../../people/contacts/service.ts';
import { notifyDeviceList } from '../../encryption/device-lists/service.ts';
import { createMailbox } from '../../messaging/mailbox/service.ts';
import { listWrapsOf } from '../passwords/service.ts';
import { deleteRowsOf } from '../../operations/sharding/service.ts';
import { revokeAllSessions } from '../sessions/service.ts';
import { createUserDocument, findEmailRecipient } from '../../people/users/service.ts';
import { releaseUsername } from '../usernames/service.ts';
import { deleteChangesOf } from '../emails/store.ts';
import {
  deletePendingRemoval,
  deleteEmailsOf,
  deleteSignUp,
  deleteSignUpsOf,
  findAccountByEmail,
  findEmailOf,
  findSignUp,
  findSignUpLocale,
  insertSignUp,
  isRemovalPending,
  lockEmailOf,
  putPendingRemoval,
  setEmailVerified,
  setEmailComplete,
  setSignUpSetup,
} from './store.ts';
import type { SignUp } from './store.ts';
import { hashTicket, isTicket, mintTicket } from '../sign-ups/tickets.ts';

export { cancelEmailChange } from '../emails/service.ts';
export { claimIdentity, findAccountOf, releaseIdentities } from './external-identities.ts';

/** Whoever asks for many addresses is not signing in. */
const LOOKUPS_PER_ADDRESS: RateLimit = { name: 'email-looks', points: 60, perSeconds: 900, scope: 'shared' };

/** An account begins with its mailbox. Doing it again changes nothing. */
export async function createAccount(ctx: Context, account = randomUUID() as AccountId): Promise<AccountId> {
  await ctx.shards.withCurrentShard(() => ctx.shards.of(account).write(account, (db) => createMailbox(db, account)));
  return account;
}

/** Undefined for an address without an account; throws `email_not_found` where the operator lets that be known. */
export async function findAccount(
  ctx: Context,
  email: string,
  address: string,
  /** Accounts that this browser has signed in to: looking for them is no probing. */
  known: readonly AccountId[] = [],
): Promise<AccountId | undefined> {
  // Half-made, it would be swept away under whoever got in.
  const account = await findCompleteAccount(ctx, email);
  if (account === undefined || !known.includes(account)) await ctx.limits.charge(LOOKUPS_PER_ADDRESS, address);
  if (!account && !ctx.policy.hidesAccounts) throw new AppError('email_not_found');
  return account;
}

/** The account of an address whose sign-up came to its end. */
export async function findCompleteAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  const known = await findAccountByEmail(ctx.directory, email);
  return known?.state === 'whole' ? known.account : undefined;
}

/** Also one whose sign-up has not come to its end, for operators. */
export async function findAnyAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  return (await findAccountByEmail(ctx.directory, email))?.account;
}

/** The proved address of an account; undefined for one without. */
export async function findVerifiedEmail(ctx: Context, account: AccountId): Promise<string | undefined> {
  const email = await findEmailOf(ctx.directory, account);
  return email && email.verifiedAt !== null ? email.address : undefined;
}

/** The address of an account, proved or not, and how far its sign-up has come. */
export async function describeEmailOf(ctx: Context, account: AccountId) {
  return findEmailOf(ctx.directory, account);
}

export async function markVerified(ctx: Context, account: AccountId): Promise<void> {
  await setEmailVerified(ctx.directory, account, ctx.clock.now());
}

/** The last step of a sign-up: with its document the account is whole, and its sign-up is over. */
export async function completeAccount(ctx: Context, account: AccountId): Promise<void> {
  const email = await findEmailOf(ctx.directory, account);
  // With neither a password nor a passkey nobody could ever open what they are sent.
  if (email?.state === 'half' && (await listWrapsOf(ctx, account)).length === 0) throw new AppError('not_verified');
  const locale = (await findSignUpLocale(ctx.directory, account)) as Locale | undefined;
  const profile = { email: email?.address ?? null, verifiedAt: email?.verifiedAt ?? null, locale };
  const isNew = await createUserDocument(ctx, account, profile);
  if (email?.state === 'half') await completeEmail(ctx, account);
  if (email?.verifiedAt) for (const hooks of ctx.accountHooks) await hooks.onEmailVerified(ctx, email.address);
  await deleteSignUpsOf(ctx.directory, account);
  // Nobody's sign-up waits for a greeting: whoever was not introduced finds the assistant by its name.
  if (isNew)
    await addAssistantContact(ctx, account).catch((error: unknown) => ctx.log.warn({ err: error }, 'not introduced'));
}

/** Of an account whose removal has begun nothing can be kept: told now, its owner begins anew and loses nothing. */
async function completeEmail(ctx: Context, account: AccountId): Promise<void> {
  await ctx.directory.transaction().execute(async (directory) => {
    await lockEmailOf(directory, account);
    if (await isRemovalPending(directory, account)) throw new AppError('no_sign_up');
    await setEmailComplete(directory, account);
  });
}

/** Of those that were half-made when they were listed. One may have been completed since, and stays. */
export async function removeIncompleteAccount(ctx: Context, account: AccountId): Promise<void> {
  const isHalf = await ctx.directory.transaction().execute(async (directory) => {
    if ((await lockEmailOf(directory, account)) !== 'half') return false;
    await putPendingRemoval(directory, account, ctx.clock.now());
    return true;
  });
  if (isHalf) await removeAccount(ctx, account);
}

/**
 * Removes everything of an account. Others keep their copies of what it sent.
 *
 * Promise: once begun it comes to its end. It is written down first and struck off last, and what is found written down
 * a minute later is done again: its owner could not, whose sessions and password are among the first to go.
 *
 * Order matters: the shard first, the address last. An interruption leaves an address that leads to nothing, never rows
 * that nobody finds. Every step may be done twice, also by two at once.
 */
export async function removeAccount(ctx: Context, account: AccountId): Promise<void> {
  await beginRemoval(ctx, account);
  const wasUsed = (await findEmailOf(ctx.directory, account))?.state === 'whole';
  const contacts = await listKeyWatchers(ctx, account);
  await revokeAllSessions(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onRemovalStarted(ctx, account);
  await deleteBlobsOf(ctx, account);
  await deleteRowsOf(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onRowsDeleted(ctx, account);
  // Who is not told asks for the devices of nobody now and then, and hears that there are none.
  await notifyDeviceList(ctx, contacts, account, 'left').catch((error: unknown) => {
    ctx.log.debug({ err: error }, 'contacts not told of an end');
  });
  await releaseUsername(ctx, account, wasUsed);
  await removeLinksOf(ctx, account);
  await deleteChangesOf(ctx.directory, account);
  await releaseIdentities(ctx, account);
  await deleteEmailsOf(ctx.directory, account);
  await deletePendingRemoval(ctx.directory, account);
}

/** Its sign-up ends at once: whoever went on with it would have their account removed under them. */
async function beginRemoval(ctx: Context, account: AccountId): Promise<void> {
  await ctx.directory.transaction().execute(async (directory) => {
    await putPendingRemoval(directory, account, ctx.clock.now());
    await deleteSignUpsOf(directory, account);
  });
}

/** Begun, and not at its end yet. */
export async function isBeingRemoved(ctx: Context, account: AccountId): Promise<boolean> {
  return isRemovalPending(ctx.directory, account);
}

/**
 * At its owner's wish, who is told by letter as soon as nothing stops it any more: of a removal that is interrupted the
 * worker, which ends it, could no longer say who was there.
 */
export async function closeAccount(ctx: Context, account: AccountId): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account);
  await beginRemoval(ctx, account);
  if (recipient)
    await sendNotice(ctx, { id: `deleted ${account}`, ...recipient, template: 'account-deleted', data: {} });
  await removeAccount(ctx, account);
}

/** The browser that began a sign-up, and the account it may act on. */
export async function authenticateTicket(ctx: Context, ticket: string | undefined) {
  const signUp = await requireSignUp(ctx, ticket);
  return { account: signUp.account, ticket: signUp.ticket, isVerified: signUp.verifiedAt !== null };
}

/** A sign-up under way, with who holds its address by now and which identity vouches for it. */
export interface PendingSignUp extends SignUp {
  ticket: string;
  account: AccountId;
  identity: Identity | undefined;
  /** The whole account that has the address; undefined while nobody has. */
  holder: AccountId | undefined;
}

export async function requireSignUp(ctx: Context, ticket: string | undefined): Promise<PendingSignUp> {
  if (ticket === undefined || !isTicket(ticket)) throw new AppError('no_sign_up');
  const signUp = await findSignUp(ctx.directory, hashTicket(ticket), ctx.clock.now());
  if (!signUp) throw new AppError('no_sign_up');
  const { issuer, subject } = signUp;
  const identity = issuer === null || subject === null ? undefined : { issuer, subject };
  const known = identity && (await findAccountByEmail(ctx.directory, signUp.email));
  const holder = known?.state === 'whole' ? known.account : undefined;
  return { ...signUp, account: signUp.account as AccountId, ticket, identity, holder };
}

/** As after a verified code: the provider has proved the address. The ticket for this browser. */
export async function startVerifiedSignUp(
  ctx: Context,
  { email, locale, identity }: { email: string; locale: string; identity: Identity },
  lifetimeMs = SIGN_UP_LIFETIME_MS,
): Promise<string> {
  const { ticket, ticketHash } = mintTicket();
  const now = ctx.clock.now();
  await insertSignUp(ctx.directory, {
    ticketHash,
    account: randomUUID() as AccountId,
    email,
    locale,
    // Known when a password is registered.
    setup: '',
    createdAt: now,
    expiresAt: now + lifetimeMs,
    verified: { ...identity, at: now },
  });
  return ticket;
}

/** The password of such a sign-up. */
export async function startVerifiedSignUpPassword(
  ctx: Context,
  signUp: PendingSignUp,
  request: string,
): Promise<string> {
  await setSignUpSetup(ctx.directory, hashTicket(signUp.ticket), ctx.opaque.setup);
  return ctx.opaque.answerRegistration(signUp.account, request);
}

export async function endSignUp(ctx: Context, ticket: string): Promise<void> {
  await deleteSignUp(ctx.directory, hashTicket(ticket));
}

/** Left behind by a sign-up that did not come to its end. */
export async function isIncompleteAccount(ctx: Context, account: AccountId): Promise<boolean> {
  return (await findEmailOf(ctx.directory, account))?.state !== 'whole';
}
