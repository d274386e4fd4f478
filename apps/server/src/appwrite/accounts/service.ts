/**
 * Accounts of `/v1`. They have a password of their own, which the server checks; it gives access to neither a vault nor
 * `/api`. Otherwise they are accounts like all others, with an id, a mailbox and a shard.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { hasAccountIdFormat } from '@dostar/protocol/appwrite/ids';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { AppwriteError } from '../errors.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { createAccount, findCompleteAccount } from '../../features/identity/accounts/service.ts';
import { removeAccount } from '../../features/identity/use-cases/remove-account.ts';
import { requireEnabled } from '../../features/identity/sessions/service.ts';
import { claimAppwriteNames, findAppwriteAccount, unclaimAppwriteNames } from '../ids/service.ts';
import { publishEvent } from '../events/service.ts';
import { dropTargets, listTargetsOf } from '../push-targets/service.ts';
import { requireUserWithTimes } from '../../features/people/users/service.ts';
import { describeProductUser, describeSession, describeUser } from './models.ts';
import { notifySignIn, notifyAccountChange, notifyFailureSeries } from './notices.ts';
import { hashPassword, isPassword, requireAcceptable } from './passwords.ts';
import { mintSecret } from './secret.ts';
import {
  addFactors,
  deleteSession,
  deleteSessions,
  findAccount,
  insertAccount,
  insertSession,
  listSessions,
  setVerified,
  updateAccount,
  updateSession,
} from './store.ts';
import type { AccountRow, SessionRow } from './store.ts';

export { notifyAccountChange, notifyFailureSeries } from './notices.ts';
export { requireAllowedAddress, requireSignUps } from './sign-up-policy.ts';

const SESSION_LIFETIME_MS = 365 * 24 * 3_600_000;
/** The limit for sessions that are extended. */
const MAX_SESSION_LIFETIME_MS = 2 * SESSION_LIFETIME_MS;
const RANDOM_PASSWORD_BYTES = 32;
const MAX_SESSIONS = 10;

interface NewAccount {
  id: string;
  email: string;
  /** Without a password the account can't be signed in to until one is recovered. */
  password: string | undefined;
  name: string;
}

export async function createAppwriteAccount(ctx: Context, wanted: NewAccount): Promise<AccountRow> {
  if (hasAccountIdFormat(wanted.id)) {
    throw new AppwriteError('general_argument_invalid', 'Invalid `userId` param: UID must not be a UUID');
  }
  if (wanted.password !== undefined) await requireAcceptable(ctx, wanted.password, wanted.email);
  // An account of the product that has verified the address keeps it.
  if (await findCompleteAccount(ctx, wanted.email)) throw new AppwriteError('user_already_exists');
  const passwordHash = await hashPassword(wanted.password ?? randomBytes(RANDOM_PASSWORD_BYTES).toString('base64'));
  const owner = randomUUID() as AccountId;
  const { id, email, name } = wanted;
  if (!(await claimAppwriteNames(ctx, owner, { id, email }))) throw new AppwriteError('user_already_exists');
  try {
    await createAccount(ctx, owner);
    await ctx.shards.write(owner, (db) =>
      insertAccount(db, { owner, id, email, name, passwordHash, now: ctx.clock.now() }),
    );
  } catch (error) {
    await unclaimAppwriteNames(ctx, owner);
    await removeAccount(ctx, owner);
    throw error;
  }
  return requireAppwriteAccount(ctx, owner);
}

export async function findAppwriteUser(ctx: Context, account: AccountId): Promise<AccountRow | undefined> {
  return ctx.shards.of(account).query((db) => findAccount(db, account));
}

export async function requireAppwriteAccount(ctx: Context, account: AccountId): Promise<AccountRow> {
  const row = await findAppwriteUser(ctx, account);
  if (!row) throw new AppwriteError('general_unauthorized_scope');
  return row;
}

/** Neither the error nor the response time reveals whether the address or the password was wrong. */
export async function checkPassword(
  ctx: Context,
  { email, password, locale }: { email: string; password: string; locale: Locale },
): Promise<AccountRow> {
  const account = await findAppwriteAccount(ctx, email);
  const row = account && (await findAppwriteUser(ctx, account));
  const isRight = await isPassword(password, row?.password_hash);
  // Not awaited: the response time must not reveal whether the address has an account.
  if (row && !isRight) void notifyFailureSeries(ctx, row, 'password', locale);
  if (!row || !isRight) throw new AppwriteError('user_invalid_credentials');
  if (row.is_blocked) throw new AppwriteError('user_blocked');
  return row;
}

export interface StartedSession {
  session: SessionRow;
  /** Not stored. */
  secret: string;
}

interface NewSession {
  provider: string;
  factors: string[];
  client: string;
  /** When an OpenID provider authenticated the person, if not now; 0 if it does not say. */
  provenAt?: number;
  /** The language of the email about the sign-in. */
  locale?: Locale;
}

/** Beyond ten sessions, ends the oldest. */
export async function startAppwriteSession(
  ctx: Context,
  owner: AccountId,
  { provider, factors, client, provenAt = Infinity, locale = 'en' }: NewSession,
): Promise<StartedSession> {
  const { secret, hash } = mintSecret(owner);
  const now = ctx.clock.now();
  const session: SessionRow = {
    owner,
    id: makeUniqueId(now),
    secret_hash: hash,
    provider,
    client,
    factors,
    mfa_at: null,
    proven_at: Math.min(provenAt, now),
    created_at: now,
    updated_at: now,
    expires_at: now + SESSION_LIFETIME_MS,
  };
  await ctx.shards.write(owner, async (db) => {
    await requireEnabled(db, owner).catch(passDisabled);
    await insertSession(db, session);
    const all = await listSessions(db, owner, now);
    for (const { id } of all.slice(0, -MAX_SESSIONS)) await drop(db, owner, id);
  });
  await publishSessionEvents(ctx, owner, [session], 'create');
  await notifySignIn(ctx, { account: owner, session: session.id, userAgent: client, locale });
  return { session, secret };
}

/** Translates the error for `/v1`. */
function passDisabled(error: unknown): never {
  const isDisabled = error instanceof AppError && error.code === 'account_disabled';
  throw isDisabled ? new AppwriteError('user_blocked', undefined, { cause: error }) : error;
}

export async function listAppwriteSessions(ctx: Context, account: AccountId): Promise<SessionRow[]> {
  return ctx.shards.of(account).query((db) => listSessions(db, account, ctx.clock.now()));
}

export async function requireAppwriteSession(ctx: Context, account: AccountId, id: string): Promise<SessionRow> {
  const row = (await listAppwriteSessions(ctx, account)).find((session) => session.id === id);
  if (!row) throw new AppwriteError('user_session_not_found');
  return row;
}

export async function extendAppwriteSession(ctx: Context, account: AccountId, id: string): Promise<SessionRow> {
  const { created_at: since } = await requireAppwriteSession(ctx, account, id);
  const now = ctx.clock.now();
  const expiresAt = Math.min(now + SESSION_LIFETIME_MS, since + MAX_SESSION_LIFETIME_MS);
  await ctx.shards.write(account, (db) => updateSession(db, account, id, { updated_at: now, expires_at: expiresAt }));
  return requireAppwriteSession(ctx, account, id);
}

export async function endAppwriteSession(ctx: Context, account: AccountId, id: string): Promise<void> {
  const session = await requireAppwriteSession(ctx, account, id);
  const wasThere = await ctx.shards.write(account, (db) => drop(db, account, id));
  if (!wasThere) throw new AppwriteError('user_session_not_found');
  await publishSessionEvents(ctx, account, [session], 'delete');
}

export async function endAppwriteSessions(ctx: Context, account: AccountId): Promise<void> {
  const sessions = await listAppwriteSessions(ctx, account);
  await ctx.shards.write(account, (db) => dropAll(db, account));
  await publishSessionEvents(ctx, account, sessions, 'delete');
}

/** A blocked account can't sign in. An account of the product has no row here, but its `/v1` sessions end too. */
export async function blockAppwriteAccount(ctx: Context, account: AccountId, isBlocked: boolean): Promise<void> {
  await ctx.shards.write(account, (db) =>
    updateAccount(db, account, { is_blocked: isBlocked, updated_at: ctx.clock.now() }),
  );
  if (isBlocked) await endAppwriteSessions(ctx, account);
}

async function drop(db: ShardDb, account: AccountId, id: string): Promise<boolean> {
  await dropTargets(db, account, id);
  return deleteSession(db, account, id);
}

async function dropAll(db: ShardDb, account: AccountId): Promise<void> {
  await dropTargets(db, account);
  await deleteSessions(db, account);
}

/** The caller's session; an account of the product has none here. */
export async function requireCallerSession(
  ctx: Context,
  caller: { account: AccountId; session: string | undefined },
): Promise<SessionRow> {
  return requireAppwriteSession(ctx, caller.account, caller.session ?? '');
}

/** Adds verified factors to a session. `isChallenged`: they answer a challenge, which counts as re-authentication. */
export async function recordFactors(
  ctx: Context,
  account: AccountId,
  session: string,
  { factors, isChallenged }: { factors: string[]; isChallenged: boolean },
): Promise<void> {
  const mfaAt = isChallenged ? ctx.clock.now() : undefined;
  await ctx.shards.write(account, (db) => addFactors(db, account, session, factors, mfaAt));
}

/** An account of `/v1` or of the product, in the format of `/v1`. */
export async function describeAccount(ctx: Context, account: AccountId) {
  const [row, targets] = await Promise.all([findAppwriteUser(ctx, account), listTargetsOf(ctx, account)]);
  if (row) return describeUser(row, targets);
  return describeProductUser(await requireUserWithTimes(ctx, account), targets);
}

export async function describeSessionOf(
  ctx: Context,
  caller: { account: AccountId; session: string | undefined },
  session: SessionRow,
  secret = '',
) {
  const { $id: userId, email } = await describeAccount(ctx, caller.account);
  return describeSession(session, { userId, email, isCurrent: session.id === caller.session, secret });
}

/** Checks a new password before the link is used up. */
export async function requireNewPassword(ctx: Context, account: AccountId, password: string): Promise<void> {
  const { email } = await requireAppwriteAccount(ctx, account);
  await requireAcceptable(ctx, password, email);
}

export async function setAppwritePassword(
  ctx: Context,
  account: AccountId,
  password: string,
  locale: Locale,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  const now = ctx.clock.now();
  const sessions = await listAppwriteSessions(ctx, account);
  await ctx.shards.write(account, async (db) => {
    await updateAccount(db, account, { password_hash: passwordHash, password_at: now, updated_at: now });
    // The old password must give no access.
    await dropAll(db, account);
  });
  await publishSessionEvents(ctx, account, sessions, 'delete');
  await notifyAccountChange(ctx, await requireAppwriteAccount(ctx, account), 'password', locale);
}

export async function changeAppwriteAccount(
  ctx: Context,
  account: AccountId,
  changes: { name?: string; prefs?: string; mfa?: boolean; email?: string; verified_at?: null },
) {
  await ctx.shards.write(account, (db) => updateAccount(db, account, { ...changes, updated_at: ctx.clock.now() }));
  const user = await describeAccount(ctx, account);
  publishEvent(ctx, { ...ofUser(account, user.$id), action: 'update', payload: user });
  return user;
}

/** Does nothing if the account has another address by now. */
export async function markEmailVerified(ctx: Context, account: AccountId, email: string): Promise<void> {
  await ctx.shards.write(account, (db) => setVerified(db, account, email, ctx.clock.now()));
  await changeAppwriteAccount(ctx, account, {});
}

/** Only the account itself may receive these events. */
function ofUser(owner: AccountId, id: string) {
  return { owner, path: ['users', id], channels: ['account', `account.${id}`], readers: [`user:${id}`] };
}

/** Ends the event streams of ended sessions. */
async function publishSessionEvents(
  ctx: Context,
  account: AccountId,
  sessions: SessionRow[],
  action: 'create' | 'delete',
): Promise<void> {
  if (sessions.length === 0) return;
  const { $id: userId, email } = await describeAccount(ctx, account);
  const about = ofUser(account, userId);
  for (const session of sessions) {
    const payload = describeSession(session, { userId, email, isCurrent: false });
    publishEvent(ctx, { ...about, path: [...about.path, 'sessions', session.id], action, payload });
  }
}
