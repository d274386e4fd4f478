/**
 * Sessions: starting, authenticating and revoking them.
 *
 * Promise: every process refuses a revoked session within ten seconds (its cache), and at once if the bus works. The
 * gateway closes the sockets of the session (SPEC H4).
 */
import { randomUUID } from 'node:crypto';
import { SECOND_FACTOR_TIMEOUT_MS } from '@dostar/protocol/contract/second-factors';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { BatchLoader } from '../../../platform/postgres/batch-loader.ts';
import { FailedLookups } from '../../../platform/security/failed-lookups.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import { removeDeviceKeys } from '../../encryption/device-keys/service.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { dropTarget } from '../../messaging/push/service.ts';
import { loadRestriction, isRestricted, requireUnrestricted } from '../recovery/service.ts';
import { describeClient } from './describe-client.ts';
import { requireEnabled } from './disabling.ts';
import type { Caller, Session } from './session.ts';
import { addDevice, announceRevokedSessions, SESSION_REVOKED, revokeSessions } from './session-revocation.ts';
import { notifySignIn } from './sign-in-notice.ts';
import {
  completeSession as completeRow,
  deleteExpiredPending,
  deleteDevice,
  endFormerToken,
  findSessions,
  insertDevice,
  insertSession,
  listLive,
  listSessions,
  markSeen,
  replaceSessionDevice,
} from './store.ts';
import type { FoundSession, SessionSecret } from './store.ts';
import { mintToken, readToken } from './token.ts';
import type { ReadToken } from './token.ts';

export { describeClient } from './describe-client.ts';
export { findDisabledAt, requireEnabled } from './disabling.ts';
export { announceRevokedSessions, revokeSessionsSince } from './session-revocation.ts';
export {
  isFirstFactorProven,
  recordReauthentication,
  requirePasswordReauthentication,
  requireReauthentication,
  consumePasswordReauthentication,
} from './reauthentication.ts';
export type { RotatedToken } from './reauthentication.ts';
export type { Caller, Session };

const MAX_CACHED = 100_000;
/** Two concurrent calls: the breaker opens after two failures, which would take twice as long one after the other. */
const LOOKUP_BATCH = { maxBatch: 500, maxCalls: 2 };
export const SESSION_LIFETIME_MS = 365 * 24 * 3_600_000;
/** The last use of a device is stored to the day: a finer value would cost a write per call. */
const LAST_SEEN_PRECISION_MS = 24 * 3_600_000;

/** How long the token from before a re-authentication is accepted after the first use of the new one, for pending calls. */
const FORMER_TOKEN_GRACE_MS = 60_000;

/** Wrong tokens from one address. A person whose session ended sends a few; a guesser sends many. */
const WRONG_TOKENS: RateLimit = { name: 'wrong-token', points: 60, perSeconds: 60, scope: 'shared' };

type SessionLoader = BatchLoader<SessionSecret, FoundSession | undefined>;

interface Cached extends Session {
  until: number;
}

export class Sessions implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #stopListening: () => void;
  #cache = new Map<string, Cached>();
  #loaders = new WeakMap<Shard, SessionLoader>();
  readonly #lookups = new FailedLookups({ ...WRONG_TOKENS, atOnce: LOOKUP_BATCH.maxBatch });

  private constructor(ctx: Context, stopListening: () => void) {
    this.#ctx = ctx;
    this.#stopListening = stopListening;
  }

  static async open(ctx: Context): Promise<Sessions> {
    let sessions: Sessions | undefined;
    const stop = await ctx.bus.subscribe(SESSION_REVOKED, (session) => sessions?.forget(session));
    sessions = new Sessions(ctx, stop);
    return sessions;
  }

  /** Throws `unauthenticated` without a valid session, and `rate_limited` after too many of those. */
  async authenticate(token: string | undefined, address: string): Promise<Session> {
    if (token === undefined) throw new AppError('unauthenticated', { reason: 'missing' });
    const now = this.#ctx.clock.now();
    const cached = this.#cache.get(token);
    if (cached && cached.until > now) return cached;
    this.#cache.delete(token);

    const read = readToken(token);
    const found =
      (await this.#lookups.run(address, async () => read && this.#loadSession(read, now))) ??
      (await this.#loadSessionAfterMiss(read, now, address));
    // A pending session is not cached: once it is complete, every process must know at once.
    if (found.isPending) return found;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(token, { ...found, until: now + this.#ctx.policy.sessionCacheMs });
    return found;
  }

  /** The token is made up, its session was revoked, or the account has just moved. Only the last needs another lookup. */
  async #loadSessionAfterMiss(read: ReadToken | undefined, now: number, address: string): Promise<Session> {
    await this.#ctx.limits.charge(WRONG_TOKENS, address);
    const isThere = read && (await hasMailbox(this.#ctx, read.account));
    const found = isThere ? await this.#loadSession(read, now) : undefined;
    if (!found) throw new AppError('unauthenticated');
    return found;
  }

  async #loadSession({ account, secretHash }: ReadToken, now: number): Promise<Session | undefined> {
    const shard = this.#ctx.shards.of(account);
    // A queued lookup on this shard would fail too, seconds later.
    if (shard.breaker.isOpen) throw new AppError('unavailable');
    const row = await this.#loader(shard).load({ owner: account, secretHash });
    if (!row) return undefined;
    // `expired` and not revoked: the browser keeps its data until its owner signs in again.
    if (row.expiresAt <= now) throw new AppError('unauthenticated', { reason: 'expired' });
    const { id: session, device, provenAt, isPending, isReplaced, formerUntil, seenAt } = row;
    // The session has a newer token, so the browser keeps its data until its owner signs in again.
    if (isReplaced && formerUntil !== null && formerUntil <= now)
      throw new AppError('unauthenticated', { reason: 'replaced' });
    if (row.isUnconfirmed)
      this.#writeInBackground(account, 'former token not ended', (db) =>
        endFormerToken(db, account, session, now + FORMER_TOKEN_GRACE_MS),
      );
    if (seenAt !== null && seenAt < now - LAST_SEEN_PRECISION_MS)
      this.#writeInBackground(account, 'device not marked as seen', (db) => markSeen(db, account, device, now));
    return { account, device, session, provenAt: isReplaced ? 0 : provenAt, isPending, tokenHash: secretHash };
  }

  /** Batches lookups: a browser makes several calls at once, and after a restart all browsers do. */
  #loader(shard: Shard): SessionLoader {
    const known = this.#loaders.get(shard);
    if (known) return known;
    const made: SessionLoader = new BatchLoader({
      ...LOOKUP_BATCH,
      idOf: ({ owner, secretHash }) => `${owner}/${secretHash.toString('base64')}`,
      read: (asked) => shard.query((db) => findSessions(db, asked)),
    });
    this.#loaders.set(shard, made);
    return made;
  }

  /** The call does not wait for it. The next lookup repeats what failed. */
  #writeInBackground(account: AccountId, failure: string, task: (db: ShardDb) => Promise<void>): void {
    const { shards, log } = this.#ctx;
    shards.write(account, task).catch((error: unknown) => log.debug({ err: error }, failure));
  }

  forget(session: string): void {
    for (const [token, cached] of this.#cache) if (cached.session === session) this.#cache.delete(token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
  }
}

export interface StartedSession extends Session {
  /** Not stored. */
  token: string;
  /** How long the browser may keep it. */
  lifetimeMs: number;
}

export interface StartOptions {
  isPending?: boolean;
  /** The browser's previous token. Its session is revoked, because the browser can't use it any more. */
  replaces?: string | undefined;
  /** When an OpenID provider authenticated the person, if not now; 0 if it does not say when. */
  provenAt?: number;
}

/**
 * Signs in a new device. With `isPending` the device is created when the second factor is given: until then no message is
 * encrypted for it.
 */
export async function startSession(
  ctx: Context,
  account: AccountId,
  userAgent = '',
  { isPending = false, replaces, provenAt: authenticatedAt = Infinity }: StartOptions = {},
): Promise<StartedSession> {
  const replaced = await findSessionOf(ctx, replaces);
  const client = describeClient(userAgent);
  const { token, secretHash } = mintToken(account);
  const device = randomUUID() as DeviceId;
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  const provenAt = Math.min(authenticatedAt, createdAt);
  const lifetimeMs = isPending ? SECOND_FACTOR_TIMEOUT_MS : SESSION_LIFETIME_MS;
  const expiresAt = createdAt + lifetimeMs;
  const revoked = await ctx.shards.write(account, async (db) => {
    await requireEnabled(db, account);
    await deleteExpiredPending(db, account, createdAt);
    const own = replaced?.account === account ? await revokeSessions(ctx, db, account, [replaced.session]) : [];
    const made = { owner: account, id, device, secretHash, createdAt, provenAt, expiresAt, client, isPending };
    await insertSession(db, made);
    return isPending ? own : [...own, ...(await addDevice(ctx, db, account, device))];
  });
  announceRevokedSessions(ctx, account, revoked);
  if (replaced && replaced.account !== account) await revokeReplacedSession(ctx, replaced);
  if (!isPending) await notifySignIn(ctx, { account, session: id, client });
  return { account, device, session: id, provenAt, isPending, tokenHash: secretHash, token, lifetimeMs };
}

/** The session of a token, even if it has expired or been replaced. */
async function findSessionOf(ctx: Context, token: string | undefined): Promise<Caller | undefined> {
  const read = token === undefined ? undefined : readToken(token);
  if (!read) return undefined;
  const { account, secretHash } = read;
  try {
    const [found] = await ctx.shards.of(account).query((db) => findSessions(db, [{ owner: account, secretHash }]));
    return found && { account, session: found.id };
  } catch (error) {
    ctx.log.warn({ err: error }, 'replaced session not found');
    return undefined;
  }
}

/** The replaced session may belong to an account on a shard that does not answer; the new sign-in succeeds all the same. */
async function revokeReplacedSession(ctx: Context, { account, session }: Caller): Promise<void> {
  await revokeSession(ctx, account, session).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'replaced session not ended');
  });
}

/** The second factor was given. The session gets a new token, so a stolen copy of the pending one is useless. */
export async function completeSession(ctx: Context, { account, session }: Session): Promise<StartedSession> {
  const { token, secretHash } = mintToken(account);
  const now = ctx.clock.now();
  const expiresAt = now + SESSION_LIFETIME_MS;
  const { device, provenAt, revoked } = await ctx.shards.write(account, async (db) => {
    const completed = await completeRow(db, account, session, { secretHash, now, expiresAt });
    if (!completed) throw new AppError('unauthenticated');
    return { ...completed, revoked: await addDevice(ctx, db, account, completed.device) };
  });
  announceRevokedSessions(ctx, account, revoked);
  const client = (await listSessionsOf(ctx, account)).find(({ id }) => id === session)?.client ?? '';
  await notifySignIn(ctx, { account, session, client });
  return {
    account,
    device,
    session,
    provenAt,
    isPending: false,
    tokenHash: secretHash,
    token,
    lifetimeMs: SESSION_LIFETIME_MS,
  };
}

/** Gives the session a new device, after its browser lost the keys of the old one. Idempotent. */
export async function renewDevice(ctx: Context, caller: Caller, before: DeviceId): Promise<DeviceId> {
  const { account, session } = caller;
  const after = randomUUID() as DeviceId;
  const { device, listRevision } = await ctx.shards.write(account, async (db) => {
    const present = await replaceSessionDevice(db, account, session, before, after);
    if (!present) throw new AppError('unauthenticated');
    if (present !== after) return { device: present, listRevision: undefined };
    const gone = await removeDeviceKeys(ctx, db, account, before);
    await deleteDevice(db, account, before);
    await dropTarget(db, account, before);
    await insertDevice(db, account, after, ctx.clock.now());
    return { device: after, listRevision: gone };
  });
  // Processes have cached the session with the old device.
  ctx.bus.publish(SESSION_REVOKED, session);
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  return device;
}

export async function listSessionsOf(ctx: Context, account: AccountId) {
  return ctx.shards.of(account).query((db) => listSessions(db, account, ctx.clock.now()));
}

/** One of the account's sessions, by its id. */
export async function revokeSession(ctx: Context, account: AccountId, session: string): Promise<void> {
  const revoked = await ctx.shards.write(account, (db) => revokeSessions(ctx, db, account, [session]));
  announceRevokedSessions(ctx, account, revoked);
}

/** For a caller of the account. A restricted session can't revoke older sessions, which may object to the reset. */
export async function revokeSessionFor(ctx: Context, caller: Caller, session: string): Promise<void> {
  const revoked = (await listSessionsOf(ctx, caller.account)).find(({ id }) => id === session);
  if (revoked) requireUnrestricted(await loadRestriction(ctx, caller), revoked.createdAt);
  await revokeSession(ctx, caller.account, session);
}

/** All but the caller's, and those that its restriction protects. Hooks end sessions elsewhere, as on `/v1`. */
export async function revokeOtherSessions(ctx: Context, caller: Caller): Promise<void> {
  const restriction = await loadRestriction(ctx, caller);
  for (const { id, createdAt } of await listSessionsOf(ctx, caller.account)) {
    if (id !== caller.session && !isRestricted(restriction, createdAt)) await revokeSession(ctx, caller.account, id);
  }
  for (const hooks of ctx.accountHooks) await hooks.onSessionsRevoked(ctx, caller.account);
}

export async function revokeAllSessions(ctx: Context, account: AccountId): Promise<void> {
  for (const { id } of await listSessionsOf(ctx, account)) await revokeSession(ctx, account, id);
}

/** Which of these sessions are revoked or expired; for sockets whose gateway missed the announcement. */
export async function listRevoked(ctx: Context, sessions: Session[]): Promise<Set<string>> {
  const suspects = await listNotLive(ctx, sessions);
  // A shard that gave the account away has none of its sessions, so the current shard is asked before ending them.
  const accounts = [...new Set(suspects.map((session) => session.account))];
  await Promise.all(accounts.map((account) => hasMailbox(ctx, account)));
  const revoked = suspects.length > 0 ? await listNotLive(ctx, suspects) : [];
  return new Set(revoked.map((session) => session.session));
}

async function listNotLive(ctx: Context, sessions: Session[]): Promise<Session[]> {
  const live = new Set<string>();
  for (const [shard, group] of ctx.shards.group(sessions, (session) => session.account)) {
    const asked = group.map((session) => ({ owner: session.account, id: session.session }));
    for (const id of await shard.query((db) => listLive(db, asked, ctx.clock.now()))) live.add(id);
  }
  return sessions.filter((session) => !live.has(session.session));
}

/** Asks the account's current shard, and updates this process's placement. */
async function hasMailbox(ctx: Context, account: AccountId): Promise<boolean> {
  try {
    await requireHead(ctx, account);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_account') return false;
    throw error;
  }
}
