/**
 * Second factors at sign-in and re-authentication.
 *
 * Promise: a session of an account with second factors can do nothing until one is given (SPEC H6). A code works once.
 * Attempts are limited per account over all processes, and charged before the code is checked.
 */
import type { FactorKind, SecondStep } from '@dostar/protocol/contract/second-factors';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { notifyWrongCodes } from '../security-emails/service.ts';
import { completeSession, startSession } from '../sessions/service.ts';
import type { Session, StartedSession, StartOptions } from '../sessions/service.ts';
import { requireTotp } from './totp-factor.ts';
import { sendCodeByEmail, openSecret, sealSecret, sendCodeByText } from './code-delivery.ts';
import { hashOldRecoveryCode, hashRecoveryCode } from './recovery-codes.ts';
import { requireSessionCode, sendSessionCode } from './session-codes.ts';
import { countRecoveryCodes, listFactors, listSealed, replaceSealed, setUsed, consumeRecoveryCode } from './store.ts';
import type { Factor } from './store.ts';
import { resealReadableCodes } from './readable-recovery-codes.ts';
import { chargeAttempt, refundAttempt } from './attempt-limit.ts';

export { beginTotp, confirmTotp, dropFactorsSince, removeFactor } from './totp-factor.ts';
export { listReadableCodes, renewReadableCodes } from './readable-recovery-codes.ts';
export { chargeAttempt, refundAttempt } from './attempt-limit.ts';

/** After a password or Google. The session is pending until one of `owes` is given, if there are any. */
export async function startSignInSession(
  ctx: Context,
  account: AccountId,
  userAgent: string,
  start: Pick<StartOptions, 'replaces' | 'provenAt'>,
): Promise<StartedSession & { owes: SecondStep[] }> {
  const owes = await listRequiredFactors(ctx, account);
  const session = await startSession(ctx, account, userAgent, { ...start, isPending: owes.length > 0 });
  return { ...session, owes };
}

/** The second factors of which one is required; empty for an account without any. */
export async function listRequiredFactors(ctx: Context, account: AccountId): Promise<SecondStep[]> {
  const confirmed = await listConfirmed(ctx, account);
  if (confirmed.length === 0) return [];
  // Without a provider of text messages the phone can't be used; recovery codes can.
  const kinds = confirmed.map(({ kind }) => kind).filter((kind) => kind !== 'phone' || ctx.textMessages);
  return [...kinds, 'recoverycode'];
}

export async function listConfirmed(ctx: Context, account: AccountId): Promise<Factor[]> {
  const factors = await ctx.shards.of(account).query((db) => listFactors(db, account));
  return factors.filter(({ confirmedAt }) => confirmedAt !== null);
}

export async function countCodesLeft(ctx: Context, account: AccountId): Promise<number | null> {
  return (await ctx.shards.of(account).query((db) => countRecoveryCodes(db, account))) ?? null;
}

/** Sends a code for sign-in or re-authentication. Returns when the next one may be requested. */
export async function sendFactorCode(
  ctx: Context,
  caller: Session,
  kind: 'email' | 'phone',
  locale: Locale,
): Promise<number> {
  const { sealed } = await requireFactor(ctx, caller.account, kind);
  return sendSessionCode(ctx, caller, `give ${kind}`, (fresh) =>
    kind === 'email'
      ? sendCodeByEmail(ctx, caller.account, caller.isPending ? 'sign-in-code' : 'reauthentication-code', locale, fresh)
      : sendCodeByText(ctx, openSecret(ctx, caller.account, kind, sealed), locale, fresh),
  );
}

/** Completes a pending session. Throws if the code is wrong, used or expired. */
export async function verifyFactor(
  ctx: Context,
  caller: Session,
  kind: SecondStep,
  code: string,
): Promise<StartedSession> {
  if (!caller.isPending) throw new AppError('forbidden');
  await requireSecondFactor(ctx, caller, kind, code);
  return completeSession(ctx, caller);
}

/** Throws if the code is wrong, used or expired. */
export async function requireSecondFactor(
  ctx: Context,
  caller: Session,
  kind: SecondStep,
  code: string,
): Promise<void> {
  await chargeAttempt(ctx, caller.account);
  await notifyIfWrongCode(ctx, caller.account, async () => {
    if (kind === 'recoverycode') await requireRecoveryCode(ctx, caller.account, code);
    else await requireCode(ctx, caller, kind, code);
  });
  await refundAttempt(ctx, caller.account);
}

/** As `requireSecondFactor`, for a caller without a session on `/api`. */
export async function requireSessionlessFactor(
  ctx: Context,
  account: AccountId,
  kind: 'totp' | 'recoverycode',
  code: string,
): Promise<void> {
  await chargeAttempt(ctx, account);
  await notifyIfWrongCode(ctx, account, async () => {
    if (kind === 'recoverycode') return requireRecoveryCode(ctx, account, code);
    const { sealed } = await requireFactor(ctx, account, kind);
    await requireTotp(ctx, account, sealed, code);
    await recordUse(ctx, account, kind);
  });
  await refundAttempt(ctx, account);
}

/** Emails the owner about a series of wrong codes: the caller has passed the first step. */
async function notifyIfWrongCode(ctx: Context, account: AccountId, verify: () => Promise<void>): Promise<void> {
  try {
    await verify();
  } catch (error) {
    if (error instanceof AppError && error.code === 'wrong_code') await notifyWrongCodes(ctx, account);
    throw error;
  }
}

async function requireFactor(ctx: Context, account: AccountId, kind: FactorKind): Promise<Factor> {
  const factor = (await listConfirmed(ctx, account)).find((each) => each.kind === kind);
  if (!factor) throw new AppError('not_found');
  return factor;
}

async function requireCode(ctx: Context, caller: Session, kind: FactorKind, code: string): Promise<void> {
  const { account } = caller;
  const { sealed } = await requireFactor(ctx, account, kind);
  if (kind === 'totp') await requireTotp(ctx, account, sealed, code);
  else await requireSessionCode(ctx, caller, `give ${kind}`, code);
  await recordUse(ctx, account, kind);
}

async function recordUse(ctx: Context, account: AccountId, kind: FactorKind): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.write(account, (db) => setUsed(db, account, kind, now));
}

async function requireRecoveryCode(ctx: Context, account: AccountId, code: string): Promise<void> {
  const hashes = [await hashRecoveryCode(account, code), await hashOldRecoveryCode(account, code)];
  const isRight = await ctx.shards.write(account, (db) => consumeRecoveryCode(db, account, hashes, ctx.clock.now()));
  if (!isRight) throw new AppError('wrong_code');
}

/** An emailed code, for an account without a better way to re-authenticate. */
export async function sendReauthenticationCode(ctx: Context, caller: Session, locale: Locale): Promise<number> {
  return sendSessionCode(ctx, caller, 'prove', (fresh) =>
    sendCodeByEmail(ctx, caller.account, 'reauthentication-code', locale, fresh),
  );
}

export async function requireReauthenticationCode(ctx: Context, caller: Session, code: string): Promise<void> {
  await chargeAttempt(ctx, caller.account);
  await requireSessionCode(ctx, caller, 'prove', code);
  await refundAttempt(ctx, caller.account);
}

const FIRST = { owner: '00000000-0000-0000-0000-000000000000', kind: '' };
const PAGE = 500;

/** Encrypts all stored secrets with the newest key, so that an older key can be removed. Returns how many there were. */
export async function resealFactors(ctx: Context): Promise<number> {
  let count = await resealReadableCodes(ctx);
  for (const shard of ctx.shards.all()) {
    for (let page = await shard.query((db) => listSealed(db, FIRST, PAGE)); page.length > 0;) {
      for (const { owner, kind, sealed } of page) {
        const account = owner as AccountId;
        const to = sealSecret(ctx, account, kind, openSecret(ctx, account, kind, sealed));
        await shard.query((db) => replaceSealed(db, account, kind, { from: sealed!, to }));
        count += 1;
      }
      const last = page.at(-1)!;
      page = await shard.query((db) => listSealed(db, last, PAGE));
    }
  }
  return count;
}
