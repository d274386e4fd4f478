/**
 * Second factors in the words of `/v1`. The app and the codes on paper are the same as the product's: one secret, one
 * count of tries, a code good once.
 *
 * Who has an account of the product sets its factors there, where the password is asked for first; here they are only given.
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
  noteFactors,
  requireCallerSession,
  requireAppwriteAccount,
  notifyAccountChange,
  notifyFailureSeries,
} from '../accounts/service.ts';
import { countTry, deleteChallenge, insertChallenge } from './store.ts';
import type { ChallengeRow } from './store.ts';

/** What may be asked for; the packages write `recoverycode`, answers say `recoveryCode`. */
export type ChallengeFactor = ChallengeRow['factor'];

interface Caller {
  account: AccountId;
  session: string | undefined;
}

/** A caller who changes something, with the language in which they are told of it. */
interface Changer extends Caller {
  locale: Locale;
}

const CHALLENGE_LIVES_MS = 3_600_000;
const RECENT_MS = 30 * 60_000;
const MAILED_TRIES = 5;

/** A verified address is a step for those who know `/v1` only. In the product it is one where its owner made it one. */
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

/** Switching it on does not lock out who does it: what is verified already counts for this session. */
export async function switchFactors(ctx: Context, caller: Changer, isOn: boolean): Promise<void> {
  const { account } = caller;
  const before = await requireAppwriteAccount(ctx, account);
  const { id } = await requireFresh(ctx, caller);
  if (isOn) {
    const { totp, email } = await listAvailableFactors(ctx, account);
    const factors = [...(totp ? ['totp'] : []), ...(email ? ['email'] : [])];
    await noteFactors(ctx, account, id, { factors, isChallenged: false });
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
  await noteFactors(ctx, caller.account, id, { factors: ['totp'], isChallenged: false });
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

/** A stolen session alone must not show or remove what guards the account. */
async function requireRecent(ctx: Context, caller: Caller): Promise<void> {
  const { mfa_at: at } = await requireCallerSession(ctx, caller);
  if (at === null || ctx.clock.now() - at > RECENT_MS) throw new AppwriteError('user_challenge_required');
}

/** As `requireRecent`, but a sign-in of the last half hour is enough, by Google only if it vouches for the moment: the account may have no factor to give yet. */
async function requireFresh(ctx: Context, caller: Caller): Promise<{ id: string }> {
  const session = await requireCallerSession(ctx, caller);
  const provenAt = Math.max(session.proven_at ?? session.created_at, session.mfa_at ?? 0);
  if (ctx.clock.now() - provenAt > RECENT_MS) throw new AppwriteError('user_challenge_required');
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
    expires_at: now + CHALLENGE_LIVES_MS,
  };
  await ctx.shards.write(account, (db) => insertChallenge(db, asked));
  if (code !== undefined) {
    const { email: to } = await describeAccount(ctx, account);
    const data = { code, minutes: CHALLENGE_LIVES_MS / 60_000 };
    await sendEmail(ctx, { id: `challenge ${id}`, to, locale, template: 'sign-in-code', data });
  }
  return asked;
}

const MISSING: Record<ChallengeFactor, AppwriteErrorType> = {
  totp: 'user_authenticator_not_found',
  email: 'user_email_not_verified',
  recoveryCode: 'user_recovery_codes_not_found',
};

/** Adds the factor to the session. Whatever is wrong is told alike. */
export async function answerChallenge(ctx: Context, caller: Changer, id: string, code: string): Promise<void> {
  const { account } = caller;
  const { id: session } = await requireCallerSession(ctx, caller);
  const asked = await ctx.shards.write(account, (db) => countTry(db, account, { id, session, now: ctx.clock.now() }));
  if (!asked) throw new AppwriteError('user_invalid_token');
  await translate(() => requireRight(ctx, account, asked, code), WRONG).catch(async (error: unknown) => {
    const row = await findAppwriteUser(ctx, account);
    if (row && error instanceof AppwriteError) await notifyFailureSeries(ctx, row, 'second-step', caller.locale);
    throw error;
  });
  if (!(await ctx.shards.write(account, (db) => deleteChallenge(db, account, id)))) {
    throw new AppwriteError('user_invalid_token');
  }
  await noteFactors(ctx, account, session, { factors: [asked.factor], isChallenged: true });
}

async function requireRight(ctx: Context, account: AccountId, asked: ChallengeRow, code: string): Promise<void> {
  if (asked.factor !== 'email') {
    return requireSessionlessFactor(ctx, account, asked.factor === 'totp' ? 'totp' : 'recoverycode', code);
  }
  await chargeAttempt(ctx, account);
  const given = hashCode(ctx.sealer, `challenge ${asked.id}`, code);
  const isRight = asked.hash !== null && asked.tries <= MAILED_TRIES && timingSafeEqual(asked.hash, given);
  if (!isRight) throw new AppError('wrong_code');
  await refundAttempt(ctx, account);
}

type ErrorTranslation = Partial<Record<AppError['code'], AppwriteErrorType>>;

const WRONG: ErrorTranslation = {
  wrong_code: 'user_invalid_token',
  used_code: 'user_invalid_token',
  not_found: 'user_invalid_token',
};

/** What the product's factors say, in the words of `/v1`. */
async function translate<T>(task: () => Promise<T>, translation: ErrorTranslation): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const type = error instanceof AppError ? translation[error.code] : undefined;
    throw type === undefined ? error : new AppwriteError(type, undefined, { cause: error });
  }
}
