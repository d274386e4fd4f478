/** The re-authentications of a session, and what they allow. */
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { SESSION_REVOKED } from './session-revocation.ts';
import type { Caller, Session } from './session.ts';
import {
  findReauthenticationTimes,
  REAUTHENTICATION_LIFETIME_MS,
  setReauthenticationTimes,
  clearPasswordReauthentication,
} from './store.ts';
import type { ReauthenticationTimes } from './store.ts';
import { mintToken } from './token.ts';

/** A token, and how long the browser may keep it. */
export interface RotatedToken {
  token: string;
  lifetimeMs: number;
}

interface VerifiedFactors {
  isByPassword?: boolean;
  /** The account has second factors, and none was given yet. */
  isFirstFactorOnly?: boolean;
}

/**
 * Records a completed re-authentication, or the first of two factors. The session gets a new token, so a stolen copy of
 * the old one does not count as re-authenticated.
 */
export async function recordReauthentication(
  ctx: Context,
  { account, session }: Caller,
  { isByPassword = false, isFirstFactorOnly = false }: VerifiedFactors = {},
): Promise<RotatedToken> {
  const now = ctx.clock.now();
  const { token, secretHash } = mintToken(account);
  const times = {
    ...(isFirstFactorOnly ? { halfProvenAt: now } : { provenAt: now, halfProvenAt: null }),
    ...(isByPassword && { passwordProvenAt: now }),
    secretHash,
  };
  const expiresAt = await ctx.shards.write(account, (db) => setReauthenticationTimes(db, account, session, times));
  if (expiresAt === undefined) throw new AppError('unauthenticated');
  // Processes have cached the previous token.
  ctx.bus.publish(SESSION_REVOKED, session);
  return { token, lifetimeMs: expiresAt - now };
}

/** Whether this session has given the first of two factors in the last ten minutes, and not the second. */
export async function isFirstFactorProven(ctx: Context, caller: TokenHolder): Promise<boolean> {
  const times = await readReauthenticationTimes(ctx, caller);
  return (times?.halfProvenAt ?? 0) >= ctx.clock.now() - REAUTHENTICATION_LIFETIME_MS;
}

/** A caller, by the token of the request. */
type TokenHolder = Pick<Session, 'account' | 'session' | 'tokenHash'>;

/**
 * Throws `reauthenticate` unless the session re-authenticated in the last ten minutes. The cached session may be older than
 * that, so the database is asked before refusing.
 */
export async function requireReauthentication(
  ctx: Context,
  caller: TokenHolder & Pick<Session, 'provenAt'>,
): Promise<void> {
  const notBefore = ctx.clock.now() - REAUTHENTICATION_LIFETIME_MS;
  if (caller.provenAt >= notBefore) return;
  const fresh = await readReauthenticationTimes(ctx, caller);
  if (fresh === undefined || fresh.provenAt < notBefore) throw new AppError('reauthenticate');
}

/** Throws `reauthenticate` unless this session has given the current password in the last ten minutes. */
export async function requirePasswordReauthentication(ctx: Context, caller: TokenHolder): Promise<void> {
  const times = await readReauthenticationTimes(ctx, caller);
  if ((times?.passwordProvenAt ?? 0) < ctx.clock.now() - REAUTHENTICATION_LIFETIME_MS)
    throw new AppError('reauthenticate');
}

/** As `requirePasswordReauthentication`, in the transaction that changes the password: each allows one change. */
export async function consumePasswordReauthentication(ctx: Context, db: ShardDb, caller: TokenHolder): Promise<void> {
  const { account, session, tokenHash } = caller;
  const notBefore = ctx.clock.now() - REAUTHENTICATION_LIFETIME_MS;
  const isTaken = await clearPasswordReauthentication(
    db,
    { owner: account, id: session, secretHash: tokenHash },
    notBefore,
  );
  if (!isTaken) throw new AppError('reauthenticate');
}

async function readReauthenticationTimes(
  ctx: Context,
  { account, session, tokenHash }: TokenHolder,
): Promise<ReauthenticationTimes | undefined> {
  const key = { owner: account, id: session, secretHash: tokenHash };
  return ctx.shards.of(account).query((db) => findReauthenticationTimes(db, key));
}
