/**
 * Sets up and removes second factors.
 *
 * A factor counts once one of its codes has been entered, so a mistyped number or an unscanned QR code locks no owner out.
 * Recovery codes are created with the first factor and removed with the last.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { notifyAccountChange } from '../security-emails/service.ts';
import { loadRestriction, requireUnrestricted } from '../recovery/service.ts';
import type { Session } from '../sessions/service.ts';
import { beginFactor, beginTotp, removeFactor, requireTotp } from './totp-factor.ts';
import { sendCodeByEmail, openSecret, requireEmail, sealSecret, sendCodeByText } from './code-delivery.ts';
import { hashRecoveryCode, generateRecoveryCodes } from './recovery-codes.ts';
import { countCodesLeft, listConfirmed } from './service.ts';
import { requireSessionCode, sendSessionCode } from './session-codes.ts';
import { listFactors, replaceRecoveryCodes, setConfirmed } from './store.ts';
import type { NewTotp } from './totp.ts';
import { chargeAttempt, refundAttempt } from './attempt-limit.ts';

export function listOffered(ctx: Context): FactorKind[] {
  return ctx.textMessages ? ['totp', 'email', 'phone'] : ['totp', 'email'];
}

export async function startTotp(ctx: Context, account: AccountId): Promise<NewTotp> {
  return beginTotp(ctx, account, await requireEmail(ctx, account).catch(() => 'account'));
}

/** Returns when the next code may be requested. */
export async function startEmail(ctx: Context, caller: Session, locale: Locale): Promise<number> {
  await requireEmail(ctx, caller.account);
  await beginFactor(ctx, caller.account, 'email', null);
  return sendSessionCode(ctx, caller, 'confirm email', (fresh) =>
    sendCodeByEmail(ctx, caller.account, 'reauthentication-code', locale, fresh),
  );
}

export async function startPhone(ctx: Context, caller: Session, locale: Locale, number: string): Promise<number> {
  if (!ctx.textMessages) throw new AppError('not_offered');
  await beginFactor(ctx, caller.account, 'phone', sealSecret(ctx, caller.account, 'phone', number));
  return sendSessionCode(ctx, caller, 'confirm phone', (fresh) => sendCodeByText(ctx, number, locale, fresh));
}

/** Returns recovery codes if the account has none yet. */
export async function confirmFactor(
  ctx: Context,
  caller: Session,
  kind: FactorKind,
  code: string,
): Promise<string[] | null> {
  const { account } = caller;
  const begun = await ctx.shards.of(account).query((db) => listFactors(db, account));
  const factor = begun.find((each) => each.kind === kind && each.confirmedAt === null);
  if (!factor) throw new AppError('not_found');
  await chargeAttempt(ctx, account);
  if (kind === 'totp') await requireTotp(ctx, account, factor.sealed, code);
  else await requireSessionCode(ctx, caller, `confirm ${kind}`, code);
  await refundAttempt(ctx, account);
  const codes = (await countCodesLeft(ctx, account)) === null ? generateRecoveryCodes() : null;
  const hashes = codes && (await hashAll(account, codes));
  await ctx.shards.write(account, async (db) => {
    // In one transaction: a factor without recovery codes locks out an owner who loses the phone.
    await setConfirmed(db, account, kind, ctx.clock.now());
    if (hashes) await replaceRecoveryCodes(db, account, hashes, ctx.clock.now());
  });
  await notifyAccountChange(ctx, account, 'factor-added');
  return codes;
}

/** Throws `forbidden` for a restricted session and a factor that is older than the password reset. */
export async function requireUnrestrictedFactors(ctx: Context, caller: Session, only?: FactorKind): Promise<void> {
  const restriction = await loadRestriction(ctx, caller);
  for (const { kind, confirmedAt } of await listConfirmed(ctx, caller.account)) {
    if (only === undefined || kind === only) requireUnrestricted(restriction, confirmedAt ?? 0);
  }
}

export async function renewRecoveryCodes(ctx: Context, account: AccountId): Promise<string[]> {
  if ((await listConfirmed(ctx, account)).length === 0) throw new AppError('not_found');
  const codes = generateRecoveryCodes();
  const hashes = await hashAll(account, codes);
  const now = ctx.clock.now();
  await ctx.shards.write(account, (db) => replaceRecoveryCodes(db, account, hashes, now));
  await notifyAccountChange(ctx, account, 'recovery-codes');
  return codes;
}

/** Throws as `requireUnrestrictedFactors` does. */
export async function removeOwnFactor(ctx: Context, caller: Session, kind: FactorKind): Promise<void> {
  await requireUnrestrictedFactors(ctx, caller, kind);
  const isConfirmed = (await listConfirmed(ctx, caller.account)).some((factor) => factor.kind === kind);
  await removeFactor(ctx, caller.account, kind);
  if (isConfirmed) await notifyAccountChange(ctx, caller.account, 'factor-removed');
}

async function hashAll(account: AccountId, codes: string[]): Promise<{ hash: Buffer; sealed: null }[]> {
  return Promise.all(codes.map(async (code) => ({ hash: await hashRecoveryCode(account, code), sealed: null })));
}

/** Part of the address or number, enough for its owner to recognize it. */
export async function hintOf(
  ctx: Context,
  account: AccountId,
  { kind, sealed }: { kind: FactorKind; sealed: string | null },
): Promise<string> {
  if (kind === 'totp') return '';
  if (kind === 'phone') return `•• ${openSecret(ctx, account, kind, sealed).slice(-2)}`;
  const email = await requireEmail(ctx, account).catch(() => '');
  return email.replace(/^(.)(.*)(@.*)$/, (_all, first: string, _middle, domain: string) => `${first}•••${domain}`);
}
