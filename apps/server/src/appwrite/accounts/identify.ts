/** Identifies callers of `/v1`. An unknown or ended session makes a guest; an expired JWT is an error. */
import { createHash } from 'node:crypto';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { UserDocument } from '@dostar/protocol/contract/users';
import { rolesOf } from '@dostar/protocol/appwrite/permissions';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import { FailedLookups } from '../../platform/security/failed-lookups.ts';
import { isOurOrigin } from '../../platform/http/our-origin.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { RecentSet } from '../../platform/concurrency/recent-set.ts';
import { AppwriteError } from '../errors.ts';
import { GUEST } from '../http.ts';
import type { AppwriteUser, Identify } from '../http.ts';
import { visitorOf } from '../../platform/http/visitor-address.ts';
import { listConfirmed } from '../../features/identity/second-factors/service.ts';
import { findDisabledAt } from '../../features/identity/sessions/service.ts';
import type { Sessions } from '../../features/identity/sessions/service.ts';
import { requireUser } from '../../features/people/users/service.ts';
import { listSessionSecrets } from '../cookies.ts';
import { readJwt } from './jwt.ts';
import { readSecret } from './secret.ts';
import { findAppwriteUser } from './service.ts';
import { findSession, findSessionBySecret, markSessionUsed } from './store.ts';
import type { AccountRow, SessionRow } from './store.ts';

const UNKNOWN_CACHE_MS = 10_000;
/** The last use of a session is stored to the day: a finer value would cost a write per call. */
const LAST_USE_PRECISION_MS = 24 * 3_600_000;
/** Per address. */
const MAX_CONCURRENT_LOOKUPS = 20;

/** Per session. Each lookup costs several queries. */
const LOOKUPS: RateLimit = { name: 'v1-session-lookups', points: 6_000, perSeconds: 60, scope: 'process' };
const WRONG: RateLimit = { name: 'v1-wrong-session', points: 60, perSeconds: 60, scope: 'process' };

interface Lookups {
  wrong: FailedLookups;
  /** Secrets that were not found. Clients keep sending an ended session, so it is not looked up with every call. */
  unknown: RecentSet;
}

export function identifyCallers(ctx: Context, sessions: Sessions): Identify {
  const wrong = new FailedLookups({ ...WRONG, atOnce: MAX_CONCURRENT_LOOKUPS });
  const lookups = { wrong, unknown: new RecentSet(UNKNOWN_CACHE_MS) };
  return async (request) => {
    const user = await findUser(ctx, sessions, lookups, request);
    const key = request.headers['x-appwrite-key'];
    if (key === undefined) return user ?? GUEST;
    if (user) throw new AppwriteError('user_api_key_and_session_set');
    if (!ctx.appwrite.keys.includes(createHash('sha256').update(String(key)).digest('hex'))) {
      throw new AppwriteError('general_unauthorized_scope');
    }
    return { kind: 'key', roles: [] };
  };
}

async function findUser(
  ctx: Context,
  sessions: Sessions,
  lookups: Lookups,
  request: FastifyRequest,
): Promise<AppwriteUser | undefined> {
  const user = (await findBySessionSecret(ctx, lookups, request)) ?? (await findProductSession(ctx, sessions, request));
  const jwt = request.headers['x-appwrite-jwt'];
  if (jwt === undefined) return user;
  if (user) throw new AppwriteError('user_jwt_and_cookie_set');
  const found = await findByJwt(ctx, String(jwt));
  if (!found) throw new AppwriteError('user_jwt_invalid');
  return found;
}

async function findBySessionSecret(
  ctx: Context,
  { wrong, unknown }: Lookups,
  request: FastifyRequest,
): Promise<AppwriteUser | undefined> {
  for (const text of new Set(listSessionSecrets(request, ctx.appwrite.project))) {
    const read = readSecret(text);
    if (!read || unknown.has(text)) continue;
    await ctx.limits.charge(LOOKUPS, text);
    const { account, hash } = read;
    const session = await wrong.run(visitorOf(request), () =>
      ctx.shards.of(account).query((db) => findSessionBySecret(db, account, hash, ctx.clock.now())),
    );
    if (!session) unknown.add(text);
    const user = session && (await describeCaller(ctx, account, session));
    if (user) return user;
  }
  return undefined;
}

async function findByJwt(ctx: Context, text: string): Promise<AppwriteUser | undefined> {
  const claims = readJwt(ctx, text);
  if (!claims) return undefined;
  const { sub: account, sessionId } = claims;
  await ctx.limits.charge(LOOKUPS, sessionId);
  const session = await ctx.shards.of(account).query((db) => findSession(db, account, sessionId, ctx.clock.now()));
  const user = session && (await describeCaller(ctx, account, session));
  return user && { ...user, isByJwt: true };
}

async function describeCaller(
  ctx: Context,
  account: AccountId,
  session: SessionRow,
): Promise<AppwriteUser | undefined> {
  const [row, disabledAt] = await Promise.all([findAppwriteUser(ctx, account), findDisabledAt(ctx, account)]);
  if (row?.is_blocked || disabledAt !== undefined) throw new AppwriteError('user_blocked');
  const product = row ? undefined : await findProductUser(ctx, account);
  if (!row && !product) return undefined;
  const id = row?.id ?? account;
  const isVerified = row ? row.verified_at !== null : (product?.isVerified ?? false);
  const roles = rolesOf({ id, labels: row?.labels ?? [], isVerified });
  noteUse(ctx, account, session);
  const needsSecondFactor = session.factors.length < 2 && (await owesSecondFactor(ctx, account, row));
  return {
    kind: 'user',
    account,
    id,
    roles,
    session: session.id,
    product: undefined,
    needsSecondFactor,
    isByJwt: false,
  };
}

/** Fire-and-forget: the next call tries again. */
function noteUse({ shards, clock, log }: Context, account: AccountId, { id, updated_at: usedAt }: SessionRow): void {
  const now = clock.now();
  if (usedAt > now - LAST_USE_PRECISION_MS) return;
  shards
    .write(account, (db) => markSessionUsed(db, account, id, now))
    .catch((error: unknown) => log.debug({ err: error }, 'session of /v1 not marked as used'));
}

/** An account of the product needs a second factor once it has one; a `/v1` account once it has turned this on. */
async function owesSecondFactor(ctx: Context, account: AccountId, row: AccountRow | undefined): Promise<boolean> {
  if (row && !row.mfa) return false;
  if (row && row.verified_at !== null) return true;
  return (await listConfirmed(ctx, account)).length > 0;
}

async function findProductUser(ctx: Context, account: AccountId): Promise<UserDocument | undefined> {
  return requireUser(ctx, account).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** The caller's session of the product, accepted only from our own pages. */
async function findProductSession(
  ctx: Context,
  sessions: Sessions,
  request: FastifyRequest,
): Promise<AppwriteUser | undefined> {
  const token = readCookie(request.headers.cookie, SESSION_COOKIE);
  if (token === undefined || !isOurOrigin(request.headers, [...ctx.origins])) return undefined;
  try {
    const { account, session, provenAt, isPending, tokenHash } = await sessions.authenticate(token, visitorOf(request));
    const { isVerified } = await requireUser(ctx, account);
    const roles = rolesOf({ id: account, labels: [], isVerified });
    const product = { session, provenAt, tokenHash };
    return {
      kind: 'user',
      account,
      id: account,
      roles,
      session: undefined,
      product,
      needsSecondFactor: isPending,
      isByJwt: false,
    };
  } catch (error) {
    if (error instanceof AppError && ['unauthenticated', 'not_found'].includes(error.code)) return undefined;
    throw error;
  }
}
