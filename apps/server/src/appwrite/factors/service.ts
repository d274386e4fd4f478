/**
 * Second factors on `/v1`. The authenticator app and the recovery codes are those of `/api`, with one secret and one limit
 * of attempts.
 *
 * An account of the product sets up its factors on `/api`, which asks for the password first; on `/v1` it only uses them.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { hashCode, generateCode } from '../../platform/security/one-time-codes.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteErrorType } from '../errors.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import {
  beginTotp,
  chargeAttempt,
  confirmTotp,
  countCodesLeft,
  listConfirmed,
  listReadableCodes,
  refundAttempt,
  removeFactor,
  renewReadableCodes,
  requireSessionlessFactor,
} from '../../features/identity/second-factors/service.ts';
import { sendEmail } from '../../features/operations/email/service.ts';
import {
  changeAppwriteAccount,
  describeAccount,
  findAppwriteUser,
  recordFactors,
  requireCallerSession,
  requireAppwriteAccount,
  notifyAccountChange,
  notifyFailureSeries,
} from '../accounts/service.ts';
import { countAttempt, deleteChallenge, insertChallenge } from './store.ts';
import type { ChallengeRow } from './store.ts';

/** The factors of a challenge. The SDKs send `recoverycode`, answers contain `recoveryCode`. */
export type ChallengeFactor = ChallengeRow['factor'];

interface Caller {
  account: AccountId;
  session: string | undefined;
}

/** A caller, with the language of the email about the change. */
interface Changer extends Caller {
  locale: Locale;
}

const CHALLENGE_LIFETIME_MS = 3_600_000;
const REAUTHENTICATION_LIFETIME_MS = 30 * 60_000;
const MAX_EMAIL_CODE_ATTEMPTS = 5;

/** On an account of `/v1` a verified address is a factor; on an account of the product only if its owner added it. */
export async function listAvailableFactors(
  ctx: Context,
  account: AccountId,
): Promise<Record<ChallengeFactor, boolean>> {
  const [confirmed, codes, row] = await Promise.all([
    listConfirmed(ctx, account),
    countCodesLeft(ctx, account),
    findAppwriteUser(ctx, account),
  ]);
  const kinds = confirmed.map(({ kind }) => kind);
  return {
    totp: kinds.includes('totp'),
    email: row ? row.verified_at !== null : kinds.includes('email'),
    recoveryCode: codes !== null,
  };
}

/** Factors that are verified already count for this session, so that its owner is not locked out. */
export async function switchFactors(ctx: Context, caller: Changer, isOn: boolean): Promise<void> {
  const { account } = caller;
  const before = await requireAppwriteAccount(ctx, account);
  const { id } = await requireFresh(ctx, caller);
  if (isOn) {
    const { totp, email } = await listAvailableFactors(ctx, account);
    const factors = [...(totp ? ['totp'] : []), ...(email ? ['email'] : [])];
    await recordFactors(ctx, account, id, { factors, isChallenged: false });
  }
  await changeAppwriteAccount(ctx, account, { mfa: isOn });
  if (before.mfa !== isOn) await notifyAccountChange(ctx, before, isOn ? 'factors-on' : 'factors-off', caller.locale);
}

export async function beginAuthenticator(ctx: Context, caller: Caller) {
  const { email } = await requireAppwriteAccount(ctx, caller.account);
  await requireFresh(ctx, caller);
  return translate(() => beginTotp(ctx, caller.account, email), {
    factor_exists: 'user_authenticator_already_verified',
  });
}

export async function confirmAuthenticator(ctx: Context, caller: Changer, code: string): Promise<void> {
  const row = await requireAppwriteAccount(ctx, caller.account);
  const { id } = await requireFresh(ctx, caller);
  await translate(() => confirmTotp(ctx, caller.account, code), {
    ...WRONG,
    not_found: 'user_authenticator_not_found',
  });
  await recordFactors(ctx, caller.account, id, { factors: ['totp'], isChallenged: false });
  await notifyAccountChange(ctx, row, 'factor-added', caller.locale);
}

export async function removeAuthenticator(ctx: Context, caller: Changer): Promise<void> {
  const row = await requireAppwriteAccount(ctx, caller.account);
  await requireRecent(ctx, caller);
  const { totp } = await listAvailableFactors(ctx, caller.account);
  if (!totp) throw new AppwriteError('user_authenticator_not_found');
  await removeFactor(ctx, caller.account, 'totp');
  await notifyAccountChange(ctx, row, 'factor-removed', caller.locale);
}

export async function createCodes(ctx: Context, caller: Changer): Promise<string[]> {
  const { account } = caller;
  const row = await requireAppwriteAccount(ctx, account);
  await requireFresh(ctx, caller);
  if ((await countCodesLeft(ctx, account)) !== null) throw new AppwriteError('user_recovery_codes_already_exists');
  const codes = await renewReadableCodes(ctx, account);
  await notifyAccountChange(ctx, row, 'recovery-codes', caller.locale);
  return codes;
}

export async function showCodes(ctx: Context, caller: Caller): Promise<string[]> {
  await requireAppwriteAccount(ctx, caller.account);
  await requireRecent(ctx, caller);
  const codes = await listReadableCodes(ctx, caller.account);
  if (!codes) throw new AppwriteError('user_recovery_codes_not_found');
  return codes;
}

export async function replaceCodes(ctx: Context, caller: Changer): Promise<string[]> {
  await showCodes(ctx, caller);
  const codes = await renewReadableCodes(ctx, caller.account);
  await notifyAccountChange(ctx, await requireAppwriteAccount(ctx, caller.account), 'recovery-codes', caller.locale);
  return codes;
}

/** Throws unless the session answered a challenge recently: a stolen session must not show or remove factors. */
async function requireRecent(ctx: Context, caller: Caller): Promise<void> {
  const { mfa_at: at } = await requireCallerSession(ctx, caller);
  if (at === null || ctx.clock.now() - at > REAUTHENTICATION_LIFETIME_MS)
    throw new AppwriteError('user_challenge_required');
}

/**
 * As `requireRecent`, but a recent sign-in is enough, because the account may have no factor yet. A sign-in with Google counts
 * only if Google says when it authenticated the person.
 */
async function requireFresh(ctx: Context, caller: Caller): Promise<{ id: string }> {
  const session = await requireCallerSession(ctx, caller);
  const provenAt = Math.max(session.proven_at ?? session.created_at, session.mfa_at ?? 0);
  if (ctx.clock.now() - provenAt > REAUTHENTICATION_LIFETIME_MS) throw new AppwriteError('user_challenge_required');
  return session;
}

export async function challenge(
  ctx: Context,
  caller: Caller,
  factor: ChallengeFactor,
  locale: Locale,
): Promise<ChallengeRow> {
  const { account } = caller;
  const { id: session } = await requireCallerSession(ctx, caller);
  const available = await listAvailableFactors(ctx, account);
  if (!available[factor]) throw new AppwriteError(MISSING[factor]);
  const now = ctx.clock.now();
  const id = makeUniqueId(now);
  const code = factor === 'email' ? generateCode() : undefined;
  const asked: ChallengeRow = {
    owner: account,
    id,
    session,
    factor,
    hash: code === undefined ? null : hashCode(ctx.sealer, `challenge ${id}`, code),
    tries: 0,
    created_at: now,
    expires_at: now + CHALLENGE_LIFETIME_MS,
  };
  await ctx.shards.write(account, (db) => insertChallenge(db, asked));
  if (code !== undefined) {
    const { email: to } = await describeAccount(ctx, account);
    const data = { code, minutes: CHALLENGE_LIFETIME_MS / 60_000 };
    await sendEmail(ctx, { id: `challenge ${id}`, to, locale, template: 'sign-in-code', data });
  }
  return asked;
}

const MISSING: Record<ChallengeFactor, AppwriteErrorType> = {
  totp: 'user_authenticator_not_found',
  email: 'user_email_not_verified',
  recoveryCode: 'user_recovery_codes_not_found',
};

/** Adds the factor to the session. Every failure has the same error. */
export async function answerChallenge(ctx: Context, caller: Changer, id: string, code: string): Promise<void> {
  const { account } = caller;
  const { id: session } = await requireCallerSession(ctx, caller);
  const asked = await ctx.shards.write(account, (db) =>
    countAttempt(db, account, { id, session, now: ctx.clock.now() }),
  );
  if (!asked) throw new AppwriteError('user_invalid_token');
  await translate(() => requireRight(ctx, account, asked, code), WRONG).catch(async (error: unknown) => {
    const row = await findAppwriteUser(ctx, account);
    if (row && error instanceof AppwriteError) await notifyFailureSeries(ctx, row, 'second-step', caller.locale);
    throw error;
  });
  if (!(await ctx.shards.write(account, (db) => deleteChallenge(db, account, id)))) {
    throw new AppwriteError('user_invalid_token');
  }
  await recordFactors(ctx, account, session, { factors: [asked.factor], isChallenged: true });
}

async function requireRight(ctx: Context, account: AccountId, asked: ChallengeRow, code: string): Promise<void> {
  if (asked.factor !== 'email') {
    return requireSessionlessFactor(ctx, account, asked.factor === 'totp' ? 'totp' : 'recoverycode', code);
  }
  await chargeAttempt(ctx, account);
  const given = hashCode(ctx.sealer, `challenge ${asked.id}`, code);
  const isRight = asked.hash !== null && asked.tries <= MAX_EMAIL_CODE_ATTEMPTS && timingSafeEqual(asked.hash, given);
  if (!isRight) throw new AppError('wrong_code');
  await refundAttempt(ctx, account);
}

type ErrorTranslation = Partial<Record<AppError['code'], AppwriteErrorType>>;

const WRONG: ErrorTranslation = {
  wrong_code: 'user_invalid_token',
  used_code: 'user_invalid_token',
  not_found: 'user_invalid_token',
};

/** Translates errors of `/api` for `/v1`. */
async function translate<T>(task: () => Promise<T>, translation: ErrorTranslation): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const type = error instanceof AppError ? translation[error.code] : undefined;
    throw type === undefined ? error : new AppwriteError(type, undefined, { cause: error });
  }
}
