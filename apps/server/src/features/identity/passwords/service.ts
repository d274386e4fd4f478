/**
 * Checks passwords that the server never sees (OPAQUE).
 *
 * A wrong password fails in the browser, so an attempt is charged when it starts and refunded when it succeeds. A login
 * finishes only once, so a replay gets no second refund. A browser that has signed in before has a limit of its own, so
 * an attacker's guesses can't lock the owner out.
 */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { uncountFailure, notifyWrongPasswords } from '../security-emails/service.ts';
import { consumeLoginState } from './single-use-login.ts';
import type { KnownBrowser } from './known-browser.ts';
import { countRecordsWithOtherSetup, findRecord, listWraps, putRecord, putWrap } from './store.ts';
import type { OpaqueRecord } from './store.ts';

export {
  addPasswordWrap,
  getUnlockOptions,
  openOldPasswordWrap,
  requireCurrentRecord,
  requireOldPassword,
  setRecoveryWrap,
  startOldPasswordCheck,
} from './account-unlock.ts';
export type { OldPasswordLogin } from './account-unlock.ts';
export { KNOWN_BROWSER_LIFETIME_MS, readKnownBrowser, rememberBrowser } from './known-browser.ts';
export { findReset, findResetState, replaceResetPassword, undoReset } from './reset.ts';
export { deleteExpiredRecoveryData, findRecovery } from './reset-store.ts';
export { archiveWraps, deleteAccountKey, findRecord, insertWrap, restoreWraps } from './store.ts';
export type { OpaqueRecord } from './store.ts';

const LOGIN_LIFETIME_MS = 60_000;
const ATTEMPTS_PER_ACCOUNT: RateLimit = { name: 'login-account', points: 10, perSeconds: 900, scope: 'shared' };
const ATTEMPTS_PER_ADDRESS: RateLimit = { name: 'login-address', points: 50, perSeconds: 900, scope: 'shared' };
const ATTEMPTS_PER_KNOWN_BROWSER: RateLimit = { name: 'login-known', points: 10, perSeconds: 900, scope: 'shared' };
/** The default purpose of a login. One for another purpose, such as re-authentication, can't be finished as a sign-in. */
const SIGN_IN = 'login';

/** The state of a login under way. The browser keeps it, sealed, so any process can finish the login. */
const Login = z.object({
  account: AccountId.nullable(),
  charges: z.array(z.object({ of: z.enum(['account', 'address', 'known']), key: z.string() })),
  state: z.string(),
  expiresAt: z.number(),
});

type Charges = z.infer<typeof Login>['charges'];
const LIMITS = { account: ATTEMPTS_PER_ACCOUNT, address: ATTEMPTS_PER_ADDRESS, known: ATTEMPTS_PER_KNOWN_BROWSER };

export interface LoginStart {
  email: string;
  /** Undefined for an address without an account. */
  account: AccountId | undefined;
  request: string;
  address: string;
  /** The browser, if it has signed in before. */
  known?: KnownBrowser | undefined;
}

export async function startLogin(
  ctx: Context,
  start: LoginStart,
  purpose = SIGN_IN,
): Promise<{ response: string; login: string }> {
  const { account, email, request } = start;
  const key = account ?? ctx.opaque.identifierOf(email);
  const charges = chargesFor(start, key);
  for (const charge of charges) await ctx.limits.charge(LIMITS[charge.of], charge.key);
  // Not awaited: the response time must not reveal whether the address has an account.
  if (account) void notifyWrongPasswords(ctx, account);
  const record = account && (await findCurrent(ctx, account));
  if (account && !record && !ctx.policy.hidesAccounts) throw new AppError('use_google');
  const { state, response } = ctx.opaque.startLogin(key, record, request);
  const expiresAt = ctx.clock.now() + LOGIN_LIFETIME_MS;
  const login = ctx.sealer.seal(purpose, { account: account ?? null, charges, state, expiresAt });
  return { response, login };
}

function chargesFor({ account, address, known }: LoginStart, key: string): Charges {
  if (account && known?.accounts.includes(account)) return [{ of: 'known', key: `${account} ${known.browser}` }];
  return [
    { of: 'address', key: address },
    { of: 'account', key },
  ];
}

/** Returns the account whose password was right. */
export async function finishLogin(ctx: Context, sealed: string, finish: string, purpose = SIGN_IN): Promise<AccountId> {
  const refusal = new AppError(ctx.policy.hidesAccounts ? 'sign_in_failed' : 'wrong_password');
  const login = Login.safeParse(ctx.sealer.open(purpose, sealed));
  if (!login.success || login.data.expiresAt < ctx.clock.now()) throw new AppError('sign_in_failed');
  const { account, charges, state } = login.data;
  const isRight = account !== null && ctx.opaque.finishLogin(state, finish);
  ctx.metrics.signIns.inc({ outcome: isRight ? 'right' : 'wrong' });
  if (!isRight) throw refusal;
  if (!(await consumeLoginState(ctx, account, login.data))) throw new AppError('sign_in_failed');
  await Promise.all([
    uncountFailure(ctx, 'password', account),
    ...charges.map(({ of, key }) => ctx.limits.refund(LIMITS[of], key)),
  ]);
  return account;
}

async function findCurrent(ctx: Context, account: AccountId): Promise<OpaqueRecord | undefined> {
  return ctx.shards.of(account).query((db) => findRecord(db, account));
}

/** Record and wrap together: one without the other locks the owner out of their messages. Call it in a transaction. */
export async function setPassword(
  db: ShardDb,
  account: AccountId,
  record: OpaqueRecord,
  wrap: Wrap,
  now: number,
): Promise<void> {
  await putRecord(db, account, record, now);
  await putWrap(db, account, wrap, now);
}

export async function hasPassword(ctx: Context, account: AccountId): Promise<boolean> {
  return (await findCurrent(ctx, account)) !== undefined;
}

/** The setup that the browser names again: the process that answered the start may know more or fewer setups. */
export function requireSetup({ opaque }: Context, named: string | undefined): string {
  // Older clients name none.
  if (named === undefined) return opaque.setup;
  if (!opaque.knows(named)) throw new AppError('invalid_request');
  return named;
}

export async function listWrapsOf(ctx: Context, account: AccountId): Promise<Wrap[]> {
  return ctx.shards.of(account).query((db) => listWraps(db, account));
}

/** Passwords that need an older OPAQUE setup, including those that a reset keeps for a month. */
export async function countPasswordsWithOldSetup(ctx: Context): Promise<number> {
  const counts = ctx.shards.all().map((shard) => shard.query((db) => countRecordsWithOtherSetup(db, ctx.opaque.setup)));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
