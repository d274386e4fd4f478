/**
 * Signing in with a password the server never sees.
 *
 * Failures happen in the browser, so a try is charged when it starts and given back when it succeeds: whoever guesses
 * pays for every guess (per account and per address). A login can be finished only once, so that a replay gets no second
 * refund. A browser that has signed in before pays for itself alone, so that nobody who guesses keeps its owner out.
 */
import { randomUUID } from 'node:crypto';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type * as contract from '@dostar/protocol/contract/passwords';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { VaultKind } from '@dostar/protocol/contract/vault';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { sendNotice } from '../../operations/email/service.ts';
import { uncountFailure, notifyWrongPasswords } from '../security-emails/service.ts';
import { findRestriction } from '../recovery/service.ts';
import { requirePasswordReauthentication, consumePasswordReauthentication } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { findEmailRecipient } from '../../people/users/service.ts';
import { deleteRevisions, copyVaultsToArchive, replaceVault, setFormerKey } from '../../encryption/vault/service.ts';
import { consumeLoginState } from './single-use-login.ts';
import type { KnownBrowser } from './known-browser.ts';
import { findRecovery } from './reset-store.ts';
import {
  countRecordsWithOtherSetup,
  findRecord,
  deleteAccountKey,
  listWraps,
  putRecord,
  putWrap,
  archiveWraps,
} from './store.ts';
import type { OpaqueRecord } from './store.ts';

export { readKnownBrowser } from './known-browser.ts';

const LOGIN_LIFETIME_MS = 60_000;
const ATTEMPTS_PER_ACCOUNT: RateLimit = { name: 'login-account', points: 10, perSeconds: 900, scope: 'shared' };
const ATTEMPTS_PER_ADDRESS: RateLimit = { name: 'login-address', points: 50, perSeconds: 900, scope: 'shared' };
const ATTEMPTS_PER_KNOWN_BROWSER: RateLimit = { name: 'login-known', points: 10, perSeconds: 900, scope: 'shared' };
/** What a login is for: one that signs in proves nothing in a session that is already there, and the other way round. */
const SIGN_IN = 'login';

/** What a login under way remembers, sealed and handed to the browser: any process can finish it. */
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

/** The account that has proved its password. */
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

/** Record and wrap together: one without the other locks the person out of their messages. Call it in a transaction. */
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
  return (await ctx.shards.of(account).query((db) => findRecord(db, account))) !== undefined;
}

/** The current password itself: neither a passkey nor a sign-in stands in for it. An account without one has none to show. */
export async function requireCurrentPassword(ctx: Context, caller: Session): Promise<void> {
  if (await hasPassword(ctx, caller.account)) await requirePasswordReauthentication(ctx, caller);
}

/** What a browser echoes of the start: another process, which knows more or fewer setups, may have answered it. */
export function requireSetup({ opaque }: Context, named: string | undefined): string {
  // Programs from before there could be several name none.
  if (named === undefined) return opaque.setup;
  if (!opaque.knows(named)) throw new AppError('invalid_request');
  return named;
}

type Change = Pick<z.output<(typeof contract.finishPasswordChange)['body']>, 'record' | 'wrap' | 'renewal' | 'setup'>;

export async function changePassword(ctx: Context, caller: Session, change: Change): Promise<void> {
  const { account } = caller;
  const { record, wrap, renewal } = change;
  const setup = requireSetup(ctx, change.setup);
  const now = ctx.clock.now();
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      if (await findRecord(db, account)) await consumePasswordReauthentication(ctx, db, caller);
      const isRestricted = (await findRestriction(db, caller)) !== undefined;
      if (renewal) await retireAccountKey(db, account, isRestricted, now);
      await setPassword(db, account, { record, setup }, wrap, now);
      for (const vault of renewal?.vaults ?? []) await replaceVault(db, account, vault, now);
      // They are encrypted under the account key that the owner distrusts, and nothing in them is missing in the new ones.
      if (renewal) await (isRestricted ? setFormerKey(db, account, true) : deleteRevisions(db, account));
    }),
  );
}

/** By a session that came by a reset it is put away for a month: the old password must still undo what was done. */
async function retireAccountKey(db: ShardDb, account: AccountId, isRestricted: boolean, now: number): Promise<void> {
  if (!isRestricted) return deleteAccountKey(db, account);
  await copyVaultsToArchive(db, account, VaultKind.options, now + RECOVERY_RETENTION_MS);
  await archiveWraps(db, account, now + RECOVERY_RETENTION_MS);
}

export async function notifyPasswordChanged(ctx: Context, account: AccountId): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account);
  if (!recipient) return;
  const data = { at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `password ${randomUUID()}`, ...recipient, template: 'password-changed', data });
}

/** Passwords that only an older setup checks, those that a reset keeps for a month included. */
export async function countPasswordsWithOldSetup(ctx: Context): Promise<number> {
  const counts = ctx.shards.all().map((shard) => shard.query((db) => countRecordsWithOtherSetup(db, ctx.opaque.setup)));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The last reset by mail, if there was one lately. */
export async function findReset(ctx: Context, account: AccountId) {
  return ctx.shards.of(account).query((db) => findRecovery(db, account));
}

export async function listWrapsOf(ctx: Context, account: AccountId): Promise<Wrap[]> {
  return ctx.shards.of(account).query((db) => listWraps(db, account));
}
