/** Re-authentication: what a session has proved since it began, and what that allows. */
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { ENDED } from './endings.ts';
import type { Caller, Session } from './service.ts';
import { findProofs, PROOF_LASTS_MS, setProofs, takePasswordProof } from './store.ts';
import type { Proofs } from './store.ts';
import { mintToken } from './token.ts';

/** A token, and how long the browser may keep it. */
export interface NewToken {
  token: string;
  lastsMs: number;
}

interface Shown {
  isByPassword?: boolean;
  /** The account has a second factor, which is still owed. */
  isHalf?: boolean;
}

/**
 * Records a completed re-authentication, or the first of two factors. The session gets a new token, so a stolen copy of
 * the old one does not count as re-authenticated.
 */
export async function proveSession(
  ctx: Context,
  { account, session }: Caller,
  { isByPassword = false, isHalf = false }: Shown = {},
): Promise<NewToken> {
  const now = ctx.clock.now();
  const { token, secretHash } = mintToken(account);
  const proofs = {
    ...(isHalf ? { halfProvenAt: now } : { provenAt: now, halfProvenAt: null }),
    ...(isByPassword && { passwordProvenAt: now }),
    secretHash,
  };
  const expiresAt = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => setProofs(db, account, session, proofs)),
  );
  if (expiresAt === undefined) throw new AppError('unauthenticated');
  // What processes remember belongs to the token before.
  ctx.bus.publish(ENDED, session);
  return { token, lastsMs: expiresAt - now };
}

/** Whether this session has shown the first of two factors in the last ten minutes, and owes the second. */
export async function isHalfProven(ctx: Context, caller: TokenHolder): Promise<boolean> {
  const proofs = await readProofs(ctx, caller);
  return (proofs?.halfProvenAt ?? 0) >= ctx.clock.now() - PROOF_LASTS_MS;
}

/** A caller by the token it came with. */
type TokenHolder = Pick<Session, 'account' | 'session' | 'tokenHash'>;

/**
 * Throws `reauthenticate` if it has been too long for something this serious. What a process remembers of a session may
 * be older than the proof, so a refusal is looked up first.
 */
export async function requireProven(ctx: Context, caller: TokenHolder & Pick<Session, 'provenAt'>): Promise<void> {
  const notBefore = ctx.clock.now() - PROOF_LASTS_MS;
  if (caller.provenAt >= notBefore) return;
  const fresh = await readProofs(ctx, caller);
  if (fresh === undefined || fresh.provenAt < notBefore) throw new AppError('reauthenticate');
}

/** Throws `reauthenticate` unless this session has shown the current password in the last ten minutes. */
export async function requirePasswordProof(ctx: Context, caller: TokenHolder): Promise<void> {
  const proofs = await readProofs(ctx, caller);
  if ((proofs?.passwordProvenAt ?? 0) < ctx.clock.now() - PROOF_LASTS_MS) throw new AppError('reauthenticate');
}

/** As `requirePasswordProof`, in the transaction that changes the password: one proof, one change. */
export async function usePasswordProof(ctx: Context, db: ShardDb, caller: TokenHolder): Promise<void> {
  const { account, session, tokenHash } = caller;
  const notBefore = ctx.clock.now() - PROOF_LASTS_MS;
  const isTaken = await takePasswordProof(db, { owner: account, id: session, secretHash: tokenHash }, notBefore);
  if (!isTaken) throw new AppError('reauthenticate');
}

async function readProofs(ctx: Context, { account, session, tokenHash }: TokenHolder): Promise<Proofs | undefined> {
  const key = { owner: account, id: session, secretHash: tokenHash };
  return ctx.shards.of(account).query((db) => findProofs(db, key));
}
