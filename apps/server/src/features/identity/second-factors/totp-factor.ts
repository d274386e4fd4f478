/** The authenticator app as a second factor. */
import { AppError } from '@dostar/protocol/errors';
import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { openSecret, sealSecret } from './code-delivery.ts';
import {
  deleteFactor,
  deleteFactorsSince,
  listFactors,
  putFactor,
  replaceRecoveryCodes,
  setConfirmed,
  consumeTotpStep,
} from './store.ts';
import { findStep, generateTotp } from './totp.ts';
import type { NewTotp } from './totp.ts';
import { chargeAttempt, refundAttempt } from './attempt-limit.ts';

export async function beginTotp(ctx: Context, account: AccountId, label: string): Promise<NewTotp> {
  const made = generateTotp(label);
  await beginFactor(ctx, account, 'totp', sealSecret(ctx, account, 'totp', made.secret));
  return made;
}

/** Replaces an unconfirmed factor of the kind; throws `factor_exists` if there is a confirmed one. */
export async function beginFactor(
  ctx: Context,
  account: AccountId,
  kind: FactorKind,
  sealed: string | null,
): Promise<void> {
  const isPut = await ctx.shards.write(account, (db) => putFactor(db, account, { kind, sealed }, ctx.clock.now()));
  if (!isPut) throw new AppError('factor_exists');
}

/** Throws `not_found` if no setup was started, and if the code is wrong or used. Creates no recovery codes. */
export async function confirmTotp(ctx: Context, account: AccountId, code: string): Promise<void> {
  const begun = await ctx.shards.of(account).query((db) => listFactors(db, account));
  const factor = begun.find(({ kind, confirmedAt }) => kind === 'totp' && confirmedAt === null);
  if (!factor) throw new AppError('not_found');
  await chargeAttempt(ctx, account);
  await requireTotp(ctx, account, factor.sealed, code);
  await refundAttempt(ctx, account);
  await ctx.shards.write(account, (db) => setConfirmed(db, account, 'totp', ctx.clock.now()));
}

export async function requireTotp(
  ctx: Context,
  account: AccountId,
  sealed: string | null,
  code: string,
): Promise<void> {
  const step = findStep(openSecret(ctx, account, 'totp', sealed), code.replaceAll(/\s/g, ''), ctx.clock.now());
  if (step === undefined) throw new AppError('wrong_code');
  const isFresh = await ctx.shards.write(account, (db) => consumeTotpStep(db, account, step));
  if (!isFresh) throw new AppError('used_code');
}

/** Deletes the recovery codes with the last factor. */
export async function removeFactor(ctx: Context, account: AccountId, kind: FactorKind): Promise<void> {
  await ctx.shards.write(account, async (db) => {
    await deleteFactor(db, account, kind);
    await deleteIdleCodes(db, account);
  });
}

/** Removes the factors that were set up since then, in the caller's transaction. */
export async function dropFactorsSince(db: ShardDb, account: AccountId, moment: number): Promise<void> {
  await deleteFactorsSince(db, account, moment);
  await deleteIdleCodes(db, account);
}

async function deleteIdleCodes(db: ShardDb, account: AccountId): Promise<void> {
  const left = await listFactors(db, account);
  if (left.every(({ confirmedAt }) => confirmedAt === null)) await replaceRecoveryCodes(db, account, [], 0);
}
