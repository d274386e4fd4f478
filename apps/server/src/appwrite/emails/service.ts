/**
 * Emails of `/v1`: email verification and password recovery.
 *
 * Promise: a secret works once, for an hour and for one purpose; the server stores only its hash. The answer does not reveal
 * whether an address has an account. A secret is bound to the address it was sent to: once the account has another one, it
 * is refused.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Locale } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { JobKind } from '../../platform/bus/jobs.ts';
import { AppwriteError } from '../errors.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { sendEmail } from '../../features/operations/email/service.ts';
import {
  findAppwriteUser,
  markEmailVerified,
  requireNewPassword,
  requireAppwriteAccount,
  setAppwritePassword,
} from '../accounts/service.ts';
import { findAppwriteAccount, findAppwriteAccountById, proveAppwriteEmail } from '../ids/service.ts';
import { deleteTokens, insertToken, takeToken } from './store.ts';
import type { TokenRow } from './store.ts';

const TOKEN_LIFETIME_MINUTES = 60;
const SECRET_BYTES = 32;

export type SentToken = Pick<TokenRow, 'id' | 'created_at' | 'expires_at'> & { userId: string };

interface Asked {
  url: string;
  locale: Locale;
}

export async function sendVerification(ctx: Context, account: AccountId, asked: Asked): Promise<SentToken> {
  const { id, email, verified_at: verifiedAt } = await requireAppwriteAccount(ctx, account);
  if (verifiedAt !== null) throw new AppwriteError('user_email_already_verified');
  return send(ctx, { account, userId: id, email }, 'verification', asked);
}

export async function verify(ctx: Context, userId: string, secret: string): Promise<SentToken> {
  const account = await requireAccount(ctx, userId);
  const token = await redeemEmailToken(ctx, account, 'verification', secret);
  return { ...token, userId };
}

const Recovery = z.object({ email: z.string(), url: z.string(), locale: Locale });
type Recovery = z.infer<typeof Recovery>;

/** A job of the worker, so that the call takes the same time for an address with an account and one without. */
export const appwriteRecoveryJob: JobKind<Recovery> = { name: 'service-recovery', payload: Recovery };

/** Does not reveal whether the address has an account: `userId` is derived from the address, the same for every call. */
export async function requestRecovery(ctx: Context, email: string, asked: Asked): Promise<SentToken> {
  const now = ctx.clock.now();
  const id = makeUniqueId(now);
  await ctx.jobs.publish(appwriteRecoveryJob, { email, ...asked }, { id });
  const userId = `6${ctx.sealer.mac('nobody', email).toString('hex').slice(0, 19)}`;
  return { id, created_at: now, expires_at: now + TOKEN_LIFETIME_MINUTES * 60_000, userId };
}

/** `id`: the same for every retry of the job, so that only one email is sent. */
export async function sendRecovery(ctx: Context, id: string, { email, ...asked }: Recovery): Promise<void> {
  const account = await findAppwriteAccount(ctx, email);
  if (account === undefined) return;
  const user = await findAppwriteUser(ctx, account);
  if (user) await send(ctx, { account, userId: user.id, email }, 'recovery', asked, id);
}

/** Revokes every session, and verifies the address: the email was read. */
export async function recover(
  ctx: Context,
  { userId, secret, password, locale }: { userId: string; secret: string; password: string; locale: Locale },
): Promise<SentToken> {
  // The same answer as for a wrong secret.
  const account = await findAppwriteAccountById(ctx, userId);
  if (account === undefined) throw new AppwriteError('user_invalid_token');
  await requireNewPassword(ctx, account, password);
  const token = await redeemEmailToken(ctx, account, 'recovery', secret);
  await setAppwritePassword(ctx, account, password, locale);
  await ctx.shards.write(account, (db) => deleteTokens(db, account));
  return { ...token, userId };
}

async function requireAccount(ctx: Context, userId: string): Promise<AccountId> {
  const account = await findAppwriteAccountById(ctx, userId);
  const refusal = ctx.policy.hidesAccounts ? 'user_invalid_token' : 'user_not_found';
  if (account === undefined) throw new AppwriteError(refusal);
  return account;
}

async function send(
  ctx: Context,
  { account, userId, email }: { account: AccountId; userId: string; email: string },
  purpose: 'verification' | 'recovery',
  { url, locale }: Asked,
  id?: string,
): Promise<SentToken> {
  const { token, secret } = await mintToken(ctx, account, { purpose, factors: [], about: email });
  const link = new URL(url);
  const carried = { userId, secret, expire: new Date(token.expires_at).toISOString() };
  for (const [name, value] of Object.entries(carried)) link.searchParams.set(name, value);
  await sendEmail(ctx, {
    id: `service ${id ?? token.id}`,
    to: email,
    locale,
    template: `service-${purpose}`,
    data: { link: link.href, minutes: TOKEN_LIFETIME_MINUTES },
  });
  return { ...token, userId };
}

/** The secret is not stored. */
export async function mintToken(
  ctx: Context,
  account: AccountId,
  { purpose, factors, about = '' }: Pick<TokenRow, 'purpose' | 'factors'> & { about?: string },
): Promise<{ token: TokenRow; secret: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const now = ctx.clock.now();
  const token: TokenRow = {
    owner: account,
    id: makeUniqueId(now),
    purpose,
    hash: hashOf(secret, about),
    factors,
    created_at: now,
    expires_at: now + TOKEN_LIFETIME_MINUTES * 60_000,
  };
  await ctx.shards.write(account, (db) => insertToken(db, token));
  return { token, secret };
}

/** Refuses a token that was used, belongs to another account or has another purpose. */
export async function redeemToken(
  ctx: Context,
  account: AccountId,
  purpose: TokenRow['purpose'],
  secret: string,
  about = '',
): Promise<TokenRow> {
  const now = ctx.clock.now();
  const token = await ctx.shards.write(account, (db) =>
    takeToken(db, account, { purpose, hash: hashOf(secret, about), now }),
  );
  if (!token) throw new AppwriteError('user_invalid_token');
  return token;
}

/** Verifies the address that the token was sent to. The directory comes first: it decides which account has an address. */
async function redeemEmailToken(
  ctx: Context,
  account: AccountId,
  purpose: TokenRow['purpose'],
  secret: string,
): Promise<TokenRow> {
  const { email } = await requireAppwriteAccount(ctx, account);
  const token = await redeemToken(ctx, account, purpose, secret, email);
  if (!(await proveAppwriteEmail(ctx, account, email))) throw new AppwriteError('user_invalid_token');
  await markEmailVerified(ctx, account, email);
  return token;
}

function hashOf(secret: string, about: string): Buffer {
  return createHash('sha256').update(`${secret} ${about}`).digest();
}
