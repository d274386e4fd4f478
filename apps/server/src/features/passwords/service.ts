/**
 * Signing in with a password the server never sees.
 *
 * Failures happen in the browser, so a try is charged when it starts and given back when it succeeds: whoever guesses
 * pays for every guess (per account and per address).
 */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Limit } from '../../platform/limits.ts';
import type { ShardDb } from '../../platform/postgres.ts';
import { findRecord, listWraps, putPasswordWrap, putRecord } from './store.ts';
import type { OpaqueRecord } from './store.ts';

const LOGIN_LIVES_MS = 60_000;
const TRIES_PER_ACCOUNT: Limit = { name: 'login-account', points: 10, perSeconds: 900, scope: 'shared' };
const TRIES_PER_ADDRESS: Limit = { name: 'login-address', points: 50, perSeconds: 900, scope: 'shared' };
const LOGIN = 'login';

/** What a login under way remembers, sealed and handed to the browser: any process can finish it. */
const Login = z.object({
  account: AccountId.nullable(),
  key: z.string(),
  address: z.string(),
  state: z.string(),
  expiresAt: z.number(),
});

interface LoginStart {
  email: string;
  /** Undefined for an address without an account. */
  account: AccountId | undefined;
  request: string;
  address: string;
}

export async function startLogin(ctx: Context, start: LoginStart): Promise<{ response: string; login: string }> {
  const { account, email, request, address } = start;
  const key = account ?? ctx.opaque.identifierOf(email);
  await ctx.limits.charge(TRIES_PER_ADDRESS, address);
  await ctx.limits.charge(TRIES_PER_ACCOUNT, key);
  const record = account && (await findCurrent(ctx, account));
  if (account && !record && !ctx.policy.hidesAccounts) throw new AppError('use_google');
  const { state, response } = ctx.opaque.startLogin(key, record?.record, request);
  const expiresAt = ctx.clock.now() + LOGIN_LIVES_MS;
  const login = ctx.sealer.seal(LOGIN, { account: account ?? null, key, address, state, expiresAt });
  return { response, login };
}

/** The account that has proved its password. */
export async function finishLogin(ctx: Context, sealed: string, finish: string): Promise<AccountId> {
  const refusal = new AppError(ctx.policy.hidesAccounts ? 'sign_in_failed' : 'wrong_password');
  const login = Login.safeParse(ctx.sealer.open(LOGIN, sealed));
  if (!login.success || login.data.expiresAt < ctx.clock.now()) throw new AppError('sign_in_failed');
  const { account, key, address, state } = login.data;
  if (account === null || !ctx.opaque.finishLogin(state, finish)) throw refusal;
  await Promise.all([ctx.limits.refund(TRIES_PER_ACCOUNT, key), ctx.limits.refund(TRIES_PER_ADDRESS, address)]);
  return account;
}

async function findCurrent(ctx: Context, account: AccountId): Promise<OpaqueRecord | undefined> {
  const record = await ctx.shards.of(account).query((db) => findRecord(db, account));
  // A record of another installation's setup can't be checked: the operator restored the database without its secret.
  if (record && record.setup !== ctx.opaque.setup) throw new AppError('unavailable');
  return record;
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
  await putPasswordWrap(db, account, wrap, now);
}

export async function changePassword(ctx: Context, account: AccountId, record: string, wrap: Wrap): Promise<void> {
  const { setup } = ctx.opaque;
  await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => setPassword(db, account, { record, setup }, wrap, ctx.clock.now())),
  );
}

export async function listWrapsOf(ctx: Context, account: AccountId): Promise<Wrap[]> {
  return ctx.shards.of(account).query((db) => listWraps(db, account));
}
