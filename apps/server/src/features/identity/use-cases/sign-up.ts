/**
 * Turns a verified sign-up into an account.
 *
 * Promise: every step may be repeated, and a crash between any two leaves either a usable account or one that the
 * worker removes within a quarter of an hour, after which the address is free again.
 *
 * Order matters in `createAccountFrom`: the address first (sign-ups compete for it), then the username, then the shard.
 * An account that crashed before the shard is found by its address and removed.
 */
import { Wrap } from '@dostar/protocol/contract/accounts';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { createMailbox } from '../../messaging/mailbox/service.ts';
import { addAssistantContact } from '../../operations/assistants/service.ts';
import { releaseInviteUse, reserveInviteUse } from '../../people/invites/service.ts';
import { createUserDocument } from '../../people/users/service.ts';
import {
  claimEmail,
  claimIdentity,
  describeEmailOf,
  findAccountByEmail,
  lockEmailOf,
  setEmailComplete,
} from '../accounts/service.ts';
import { listWrapsOf, setPassword } from '../passwords/service.ts';
import { useOperatorInvite } from '../sign-up-invites/service.ts';
import { deleteSignUpsOf, findSignUpLocale, findSignUpOf, requireSignUp } from '../sign-ups/service.ts';
import type { PendingSignUp } from '../sign-ups/service.ts';
import { requireUsername } from '../usernames/service.ts';
import { removeAccount } from './remove-account.ts';
import { isRemovalPending } from './removal-store.ts';

export async function createAccountFrom(
  ctx: Context,
  ticket: string,
): Promise<{ userId: AccountId; username: string }> {
  const signUp = await requireSignUp(ctx, ticket);
  const { account, identity } = signUp;
  const password = readPassword(signUp);
  // With a Google identity the account may be opened by a passkey instead; `completeAccount` checks that there is one.
  if (signUp.verifiedAt === null || (!password && !identity)) throw new AppError('not_verified');
  // Also if that account is gone by now: its owner may not be let in again.
  if (signUp.isForLink) throw new AppError('email_taken');
  const now = ctx.clock.now();
  await removeIncompleteHolder(ctx, signUp.email, account);
  if (!(await claimEmail(ctx.directory, signUp.email, account, now))) throw new AppError('email_taken');
  if (identity && !(await claimIdentity(ctx, identity, account))) throw new AppError('email_taken');
  const username = await requireUsername(ctx, account);
  await ctx.shards.write(account, async (db) => {
    await createMailbox(db, account);
    if (password) await setPassword(db, account, password.record, password.wrap, now);
  });
  return { userId: account, username };
}

function readPassword({ record, setup, wrap }: PendingSignUp) {
  const parsed = Wrap.safeParse(wrap);
  return record !== null && parsed.success ? { record: { record, setup }, wrap: parsed.data } : undefined;
}

/** An incomplete account of the same address, from another browser or before a crash, yields to the newest verified sign-up. */
async function removeIncompleteHolder(ctx: Context, email: string, account: AccountId): Promise<void> {
  const known = await findAccountByEmail(ctx.directory, email);
  if (known?.state === 'half' && known.account !== account) await removeAccount(ctx, known.account);
}

/** The account that this sign-up has made. */
export async function requireCreated(ctx: Context, ticket: string): Promise<AccountId> {
  const signUp = await requireSignUp(ctx, ticket);
  const known = await findAccountByEmail(ctx.directory, signUp.email);
  if (signUp.verifiedAt === null || known?.account !== signUp.account) throw new AppError('not_verified');
  return known.account;
}

/** The last step of a sign-up: creates the user document and ends the sign-up. */
export async function completeAccount(ctx: Context, account: AccountId): Promise<void> {
  const email = await describeEmailOf(ctx, account);
  // Without a password or a passkey the owner could never decrypt their messages.
  if (email?.state === 'half' && (await listWrapsOf(ctx, account)).length === 0) throw new AppError('not_verified');
  const locale = (await findSignUpLocale(ctx.directory, account)) as Locale | undefined;
  const profile = { email: email?.address ?? null, verifiedAt: email?.verifiedAt ?? null, locale };
  const isNew = await createUserDocument(ctx, account, profile);
  if (email?.state === 'half') await completeEmail(ctx, account);
  if (email?.verifiedAt) for (const hooks of ctx.accountHooks) await hooks.onEmailVerified(ctx, email.address);
  await deleteSignUpsOf(ctx.directory, account);
  // A failure must not fail the sign-up: the assistant can be found by its username.
  if (isNew)
    await addAssistantContact(ctx, account).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'assistant not added to the contacts of a new account'),
    );
}

/**
 * Uses the invite of the sign-up. An invite of a user is on the inviter's shard, so its use is taken first and given back
 * if the sign-up is refused; a crash between the two costs the inviter a use.
 */
async function completeEmail(ctx: Context, account: AccountId): Promise<void> {
  const invite = (await findSignUpOf(ctx.directory, account))?.invite;
  if (!invite?.inviter) return setComplete(ctx, account);
  const { id, inviter } = invite;
  await reserveInviteUse(ctx, inviter, id, account);
  try {
    await setComplete(ctx, account);
  } catch (error) {
    // After any other failure the sign-up may be complete.
    if (isRefusal(error)) await releaseInviteUse(ctx, inviter, id, account);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'no_sign_up';
}

/**
 * Refuses an account whose removal has begun, so that its owner signs up again before they can lose anything, and one
 * whose sign-up is gone, and with it the invite that it had.
 */
async function setComplete(ctx: Context, account: AccountId): Promise<void> {
  await ctx.directory.transaction().execute(async (directory) => {
    // A parallel call was first.
    if ((await lockEmailOf(directory, account)) === 'whole') return;
    const signUp = await findSignUpOf(directory, account);
    if (!signUp || (await isRemovalPending(directory, account))) throw new AppError('no_sign_up');
    if (signUp.invite?.inviter === null) await useOperatorInvite(ctx, directory, signUp.invite.id);
    await setEmailComplete(directory, account);
  });
}
