/** Proving once more who one is. Each way is bound to the session it was begun in. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { SecondStep } from '@dostar/protocol/contract/factors';
import type { ProofMethod } from '@dostar/protocol/contract/proving';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { listOwed, requireProofCode, requireSecondFactor, sendFactorCode } from '../second-factors/service.ts';
import { hasPasskey, requirePasskeyProof } from '../passkeys/service.ts';
import type { Answered } from '../passkeys/service.ts';
import { finishLogin, hasPassword, startLogin } from '../passwords/service.ts';
import type { LoginStart } from '../passwords/service.ts';
import { isHalfProven, proveSession } from '../sessions/service.ts';
import type { NewToken, Session } from '../sessions/service.ts';

/** A letter proves less than a password: it is for those who have nothing better. */
export async function listProofs(ctx: Context, account: AccountId): Promise<ProofMethod[]> {
  const [isByPassword, isByPasskey] = await Promise.all([hasPassword(ctx, account), hasPasskey(ctx, account)]);
  const methods: ProofMethod[] = [
    ...(isByPassword ? ['password' as const] : []),
    ...(isByPasskey ? ['passkey' as const] : []),
  ];
  return methods.length > 0 ? methods : ['email'];
}

/** What completes a proof whose first factor has just been shown. */
export async function listOwedProofs(ctx: Context, caller: Session): Promise<SecondStep[]> {
  return (await isHalfProven(ctx, caller)) ? listOwed(ctx, caller.account) : [];
}

interface Shown extends NewToken {
  /** Empty once the session is proven. */
  owes: SecondStep[];
}

/** Charged as a sign-in is: a browser that has signed in before has tries of its own, so guessers can't use them up. */
export async function startPasswordProof(
  ctx: Context,
  caller: Session,
  start: Pick<LoginStart, 'request' | 'address' | 'known'>,
) {
  return startLogin(ctx, { ...start, account: caller.account, email: '' }, purposeOf(caller));
}

export async function finishPasswordProof(
  ctx: Context,
  caller: Session,
  login: string,
  finish: string,
): Promise<Shown> {
  await finishLogin(ctx, login, finish, purposeOf(caller));
  return showFirst(ctx, caller, { isByPassword: true });
}

export async function finishPasskeyProof(
  ctx: Context,
  caller: Session,
  answered: Answered,
  address: string,
): Promise<NewToken> {
  await requirePasskeyProof(ctx, caller, answered, address);
  return proveSession(ctx, caller);
}

export async function requireLetterProof(ctx: Context, account: AccountId): Promise<void> {
  if (!(await listProofs(ctx, account)).includes('email')) throw new AppError('forbidden');
}

export async function giveProofCode(ctx: Context, caller: Session, code: string): Promise<Shown> {
  await requireLetterProof(ctx, caller.account);
  await requireProofCode(ctx, caller, code);
  return showFirst(ctx, caller, { isByPassword: false });
}

/** One factor. An account that has two owes the other, as at sign-in. */
async function showFirst(ctx: Context, caller: Session, { isByPassword }: { isByPassword: boolean }): Promise<Shown> {
  const owes = await listOwed(ctx, caller.account);
  return { ...(await proveSession(ctx, caller, { isByPassword, isHalf: owes.length > 0 })), owes };
}

export async function sendSecondProof(
  ctx: Context,
  caller: Session,
  kind: 'email' | 'phone',
  locale: Locale,
): Promise<number> {
  await requireHalfProven(ctx, caller);
  return sendFactorCode(ctx, caller, kind, locale);
}

export async function giveSecondProof(
  ctx: Context,
  caller: Session,
  kind: SecondStep,
  code: string,
): Promise<NewToken> {
  await requireHalfProven(ctx, caller);
  await requireSecondFactor(ctx, caller, kind, code);
  return proveSession(ctx, caller);
}

async function requireHalfProven(ctx: Context, caller: Session): Promise<void> {
  if (!(await isHalfProven(ctx, caller))) throw new AppError('reauthenticate');
}

function purposeOf({ account, session }: Session): string {
  return `prove ${account} ${session}`;
}
