/** Sign-ups under way: each is bound by a ticket to the browser that began it, and ends with an account or expires. */
import { randomUUID } from 'node:crypto';
import { CODE_LIFETIME_MS, RESEND_AFTER_MS, SIGN_UP_LIFETIME_MS } from '@dostar/protocol/contract/accounts';
import type { Locale, Wrap } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { generateCode, hashCode, requireCorrectCode } from '../../../platform/security/one-time-codes.ts';
import { sendEmail } from '../../operations/email/service.ts';
import { findCompleteAccount } from '../accounts/service.ts';
import type { Identity } from '../accounts/service.ts';
import { admitSignUp } from './admission.ts';
import {
  countCodeAttempt,
  deleteSignUp,
  findSignUp,
  insertSignUp,
  setSignUpCode,
  setSignUpRecord,
  setSignUpSetup,
  setSignUpVerified,
} from './store.ts';
import type { InviteOfSignUp, SignUp } from './store.ts';
import { hashTicket, isTicket, mintTicket } from './tickets.ts';

export { admitSignUp, describeSignUpPolicy, isAllowedDomain } from './admission.ts';
export { deleteExpiredSignUps, deleteSignUpsOf, findSignUpLocale, findSignUpOf } from './store.ts';

const HOUR = 3600;
/** A person who mistypes their password resends a few times. */
const CODES_PER_EMAIL: RateLimit = { name: 'codes-email', points: 5, perSeconds: HOUR, scope: 'shared' };
const CODES_PER_ADDRESS: RateLimit = { name: 'codes-address', points: 30, perSeconds: HOUR, scope: 'shared' };
const SIGN_UPS_PER_ADDRESS: RateLimit = { name: 'sign-ups', points: 60, perSeconds: HOUR, scope: 'shared' };
const ATTEMPTS_PER_EMAIL: RateLimit = { name: 'code-tries', points: 15, perSeconds: HOUR, scope: 'shared' };

interface Start {
  email: string;
  locale: Locale;
  request: string;
  /** The token of an invite. */
  invite?: string | undefined;
}

export async function startSignUp(ctx: Context, start: Start, address: string) {
  await ctx.limits.charge(SIGN_UPS_PER_ADDRESS, address);
  const invite = await admitSignUp(ctx, start);
  const isTaken = (await findCompleteAccount(ctx, start.email)) !== undefined;
  if (isTaken && !ctx.policy.hidesAccounts) throw new AppError('email_taken');
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
    invite,
    createdAt: now,
    expiresAt: now + SIGN_UP_LIFETIME_MS,
  });
  return { ticket, account, response: ctx.opaque.answerRegistration(account, start.request) };
}

interface VerifiedStart {
  email: string;
  locale: string;
  identity: Identity;
  invite?: InviteOfSignUp | undefined;
  isForLink?: boolean;
}

/** A sign-up whose address an OpenID provider has verified. Returns the ticket for this browser. */
export async function startVerifiedSignUp(
  ctx: Context,
  { email, locale, identity, invite, isForLink }: VerifiedStart,
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
    invite,
    isForLink,
  });
  return ticket;
}

/** Begins to register the password of such a sign-up. */
export async function startVerifiedSignUpPassword(
  ctx: Context,
  signUp: PendingSignUp,
  request: string,
): Promise<string> {
  await setSignUpSetup(ctx.directory, hashTicket(signUp.ticket), ctx.opaque.setup);
  return ctx.opaque.answerRegistration(signUp.account, request);
}

export async function recordSignUp(ctx: Context, ticket: string, record: string, wrap: Wrap): Promise<void> {
  await setSignUpRecord(ctx.directory, hashTicket(ticket), record, wrap);
}

/** Returns when the next code may be requested. */
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
  // Where accounts are hidden, the owner of a taken address learns of the attempt by email; the visitor learns nothing.
  const isTaken = (await findCompleteAccount(ctx, email)) !== undefined;
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

/** The browser that began a sign-up, and the account it may act on. */
export async function authenticateTicket(ctx: Context, ticket: string | undefined) {
  const signUp = await requireSignUp(ctx, ticket);
  return { account: signUp.account, ticket: signUp.ticket, isVerified: signUp.verifiedAt !== null };
}

/** A sign-up under way, with the identity that verified its address. */
export interface PendingSignUp extends SignUp {
  ticket: string;
  account: AccountId;
  identity: Identity | undefined;
  /** The complete account that owns the address by now; looked up only for a sign-up with an identity. */
  holder: AccountId | undefined;
}

export async function requireSignUp(ctx: Context, ticket: string | undefined): Promise<PendingSignUp> {
  if (ticket === undefined || !isTicket(ticket)) throw new AppError('no_sign_up');
  const signUp = await findSignUp(ctx.directory, hashTicket(ticket), ctx.clock.now());
  if (!signUp) throw new AppError('no_sign_up');
  const { issuer, subject } = signUp;
  const identity = issuer === null || subject === null ? undefined : { issuer, subject };
  const holder = identity && (await findCompleteAccount(ctx, signUp.email));
  return { ...signUp, account: signUp.account as AccountId, ticket, identity, holder };
}

export async function endSignUp(ctx: Context, ticket: string): Promise<void> {
  await deleteSignUp(ctx.directory, hashTicket(ticket));
}
