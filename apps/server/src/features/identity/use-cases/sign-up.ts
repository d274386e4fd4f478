/**
 * From a visitor to an account.
 *
 * Promise: every step may be repeated, and a crash between any two leaves either a usable account or one that the
 * sweeper removes within a quarter of an hour, after which the address is free again.
 *
 * Order matters in `createAccount`: the address first (it is what others compete for), then the name, then the shard.
 * Whatever exists without the shard's part is found by its address and removed.
 */
import { randomUUID } from 'node:crypto';
import { CODE_LIFETIME_MS, SIGN_UP_LIFETIME_MS, RESEND_AFTER_MS, Wrap } from '@dostar/protocol/contract/accounts';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { hashCode, generateCode, requireCorrectCode } from '../../../platform/security/one-time-codes.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { claimIdentity } from '../accounts/external-identities.ts';
import { sendEmail } from '../../operations/email/service.ts';
import { createMailbox } from '../../messaging/mailbox/service.ts';
import { setPassword } from '../passwords/service.ts';
import { requireUsername } from '../usernames/service.ts';
import { removeAccount, requireSignUp } from '../accounts/service.ts';
import type { PendingSignUp } from '../accounts/service.ts';
import {
  claimEmail,
  countCodeAttempt,
  findAccountByEmail,
  insertSignUp,
  setSignUpCode,
  setSignUpRecord,
  setSignUpVerified,
} from '../accounts/store.ts';
import { hashTicket, mintTicket } from '../sign-ups/tickets.ts';

const HOUR = 3600;
/** Mails to one address; a person who mistypes their password resends a few times. */
const CODES_PER_EMAIL: RateLimit = { name: 'codes-email', points: 5, perSeconds: HOUR, scope: 'shared' };
const CODES_PER_ADDRESS: RateLimit = { name: 'codes-address', points: 30, perSeconds: HOUR, scope: 'shared' };
const SIGN_UPS_PER_ADDRESS: RateLimit = { name: 'sign-ups', points: 60, perSeconds: HOUR, scope: 'shared' };
const ATTEMPTS_PER_EMAIL: RateLimit = { name: 'code-tries', points: 15, perSeconds: HOUR, scope: 'shared' };

interface Start {
  email: string;
  locale: Locale;
  request: string;
}

export async function startSignUp(ctx: Context, start: Start, address: string) {
  await ctx.limits.charge(SIGN_UPS_PER_ADDRESS, address);
  const known = await findAccountByEmail(ctx.directory, start.email);
  if (known?.state === 'whole' && !ctx.policy.hidesAccounts) throw new AppError('email_taken');
  const account = randomUUID() as AccountId;
  const { ticket, ticketHash } = mintTicket();
  const now = ctx.clock.now();
  const { email, locale } = start;
  const { setup } = ctx.opaque;
  await insertSignUp(ctx.directory, {
    ticketHash,
    account,
    email,
    locale,
    setup,
    createdAt: now,
    expiresAt: now + SIGN_UP_LIFETIME_MS,
  });
  return { ticket, account, response: ctx.opaque.answerRegistration(account, start.request) };
}

export async function recordSignUp(ctx: Context, ticket: string, record: string, wrap: Wrap): Promise<void> {
  await setSignUpRecord(ctx.directory, hashTicket(ticket), record, wrap);
}

/** When the next code may be asked for. */
export async function sendCode(ctx: Context, ticket: string, email: string, address: string): Promise<number> {
  const signUp = await requireSignUp(ctx, ticket);
  if (signUp.email !== email) throw new AppError('no_sign_up');
  await ctx.limits.charge(CODES_PER_EMAIL, email);
  await ctx.limits.charge(CODES_PER_ADDRESS, address);
  const code = generateCode();
  const now = ctx.clock.now();
  const hash = hashCode(ctx.sealer, ticket, code);
  const isMine = await setSignUpCode(ctx.directory, hashTicket(ticket), {
    hash,
    at: now,
    notAfter: now - RESEND_AFTER_MS,
  });
  if (!isMine) throw new AppError('too_soon', { retryAfterMs: RESEND_AFTER_MS - (now - (signUp.codeAt ?? now)) });
  const locale = signUp.locale as Locale;
  const id = `code ${hash.toString('base64url')}`;
  // Where accounts are hidden a taken address learns of the attempt by mail, and the visitor learns nothing.
  const isTaken = (await findAccountByEmail(ctx.directory, email))?.state === 'whole';
  await sendEmail(
    ctx,
    isTaken
      ? { id, to: email, locale, template: 'already-here', data: {} }
      : { id, to: email, locale, template: 'code', data: { code, minutes: CODE_LIFETIME_MS / 60_000 } },
  );
  return now + RESEND_AFTER_MS;
}

export async function verifyCode(ctx: Context, ticket: string, email: string, code: string): Promise<void> {
  const signUp = await requireSignUp(ctx, ticket);
  if (signUp.email !== email) throw new AppError('no_sign_up');
  if (signUp.verifiedAt !== null) return;
  await ctx.limits.charge(ATTEMPTS_PER_EMAIL, email);
  const tries = await countCodeAttempt(ctx.directory, hashTicket(ticket));
  const kept = { hash: signUp.codeHash, at: signUp.codeAt, tries };
  requireCorrectCode(kept, hashCode(ctx.sealer, ticket, code), ctx.clock.now());
  await setSignUpVerified(ctx.directory, hashTicket(ticket), ctx.clock.now());
}

export async function createAccountFrom(
  ctx: Context,
  ticket: string,
): Promise<{ userId: AccountId; username: string }> {
  const signUp = await requireSignUp(ctx, ticket);
  const { account, identity } = signUp;
  const password = readPassword(signUp);
  // Whoever came by Google may open the account with a passkey instead; `completeAccount` sees to it that they do.
  if (signUp.verifiedAt === null || (!password && !identity)) throw new AppError('not_verified');
  const now = ctx.clock.now();
  await removeIncompleteHolder(ctx, signUp.email, account);
  if (!(await claimEmail(ctx.directory, signUp.email, account, now))) throw new AppError('email_taken');
  if (identity && !(await claimIdentity(ctx, identity, account))) throw new AppError('email_taken');
  const username = await requireUsername(ctx, account);
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await createMailbox(db, account);
      if (password) await setPassword(db, account, password.record, password.wrap, now);
    }),
  );
  return { userId: account, username };
}

function readPassword({ record, setup, wrap }: PendingSignUp) {
  const parsed = Wrap.safeParse(wrap);
  return record !== null && parsed.success ? { record: { record, setup }, wrap: parsed.data } : undefined;
}

/** A half-made account of the same address, begun in another browser or before a crash: whoever proved the address last goes on. */
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
