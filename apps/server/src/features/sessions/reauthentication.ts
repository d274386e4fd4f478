/** Re-authentication: what a session has proved since it began, and what that allows. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { Caller, Session } from './service.ts';
import { findProofs, setProofs, takePasswordProof } from './store.ts';

/** For deleting, changing the password and the like. */
const PROOF_LASTS_MS = 10 * 60_000;

/** The person has proved once more who they are. */
export async function proveSession(
  ctx: Context,
  { account, session }: Caller,
  { isByPassword = false } = {},
): Promise<void> {
  const now = ctx.clock.now();
  const proofs = { provenAt: now, ...(isByPassword && { passwordProvenAt: now }) };
  await ctx.shards.follow(() => ctx.shards.of(account).write(account, (db) => setProofs(db, account, session, proofs)));
}

/**
 * Throws `reauthenticate` if it has been too long for something this serious. What a process remembers of a session may
 * be older than the proof, so a refusal is looked up first.
 */
export async function requireProven(
  ctx: Context,
  { account, session, provenAt }: Pick<Session, 'account' | 'session' | 'provenAt'>,
): Promise<void> {
  const notBefore = ctx.clock.now() - PROOF_LASTS_MS;
  if (provenAt >= notBefore) return;
  const fresh = await ctx.shards.of(account).query((db) => findProofs(db, account, session));
  if (fresh === undefined || fresh.provenAt < notBefore) throw new AppError('reauthenticate');
}

/** Throws `reauthenticate` unless this session has shown the current password in the last ten minutes. */
export async function requirePasswordProof(ctx: Context, { account, session }: Caller): Promise<void> {
  const proofs = await ctx.shards.of(account).query((db) => findProofs(db, account, session));
  const notBefore = ctx.clock.now() - PROOF_LASTS_MS;
  if ((proofs?.passwordProvenAt ?? 0) < notBefore) throw new AppError('reauthenticate');
}

/** As `requirePasswordProof`, in the transaction that changes the password: one proof, one change. */
export async function usePasswordProof(
  ctx: Context,
  db: ShardDb,
  { account, session }: { account: AccountId; session: string },
): Promise<void> {
  const notBefore = ctx.clock.now() - PROOF_LASTS_MS;
  if (!(await takePasswordProof(db, account, session, notBefore))) throw new AppError('reauthenticate');
}
