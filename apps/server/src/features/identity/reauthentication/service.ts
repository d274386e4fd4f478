/** Re-authentication for sensitive actions. Each attempt is bound to the session that started it. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { SecondStep } from '@dostar/protocol/contract/second-factors';
import type { ReauthenticationMethod } from '@dostar/protocol/contract/reauthentication';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import {
  listRequiredFactors,
  requireReauthenticationCode,
  requireSecondFactor,
  sendFactorCode,
} from '../second-factors/service.ts';
import { hasPasskey, requirePasskeyReauthentication } from '../passkeys/service.ts';
import type { PasskeyResponse } from '../passkeys/service.ts';
import { finishLogin, hasPassword, startLogin } from '../passwords/service.ts';
import type { LoginStart } from '../passwords/service.ts';
import { isFirstFactorProven, recordReauthentication } from '../sessions/service.ts';
import type { RotatedToken, Session } from '../sessions/service.ts';

/** An emailed code proves less than a password, so only accounts without a password or passkey may use it. */
export async function listReauthenticationMethods(ctx: Context, account: AccountId): Promise<ReauthenticationMethod[]> {
  const [isByPassword, isByPasskey] = await Promise.all([hasPassword(ctx, account), hasPasskey(ctx, account)]);
  const methods: ReauthenticationMethod[] = [
    ...(isByPassword ? ['password' as const] : []),
    ...(isByPasskey ? ['passkey' as const] : []),
  ];
  return methods.length > 0 ? methods : ['email'];
}

/** The second factors that complete a re-authentication; empty before its first factor is verified. */
export async function listRequiredReauthenticationFactors(ctx: Context, caller: Session): Promise<SecondStep[]> {
  return (await isFirstFactorProven(ctx, caller)) ? listRequiredFactors(ctx, caller.account) : [];
}

interface ReauthenticationResult extends RotatedToken {
  /** Empty once the re-authentication is complete. */
  owes: SecondStep[];
}

/** Charged like a sign-in: a known browser has attempts of its own, so others can't use them up. */
export async function startPasswordReauthentication(
  ctx: Context,
  caller: Session,
  start: Pick<LoginStart, 'request' | 'address' | 'known'>,
) {
  return startLogin(ctx, { ...start, account: caller.account, email: '' }, purposeOf(caller));
}

export async function finishPasswordReauthentication(
  ctx: Context,
  caller: Session,
  login: string,
  finish: string,
): Promise<ReauthenticationResult> {
  await finishLogin(ctx, login, finish, purposeOf(caller));
  return recordFirstFactor(ctx, caller, { isByPassword: true });
}

export async function finishPasskeyReauthentication(
  ctx: Context,
  caller: Session,
  passkeyResponse: PasskeyResponse,
  address: string,
): Promise<RotatedToken> {
  await requirePasskeyReauthentication(ctx, caller, passkeyResponse, address);
  return recordReauthentication(ctx, caller);
}

export async function requireEmailReauthentication(ctx: Context, account: AccountId): Promise<void> {
  if (!(await listReauthenticationMethods(ctx, account)).includes('email')) throw new AppError('forbidden');
}

export async function verifyReauthenticationCode(
  ctx: Context,
  caller: Session,
  code: string,
): Promise<ReauthenticationResult> {
  await requireEmailReauthentication(ctx, caller.account);
  await requireReauthenticationCode(ctx, caller, code);
  return recordFirstFactor(ctx, caller, { isByPassword: false });
}

/** An account with second factors has to give one of them too, as at sign-in. */
async function recordFirstFactor(
  ctx: Context,
  caller: Session,
  { isByPassword }: { isByPassword: boolean },
): Promise<ReauthenticationResult> {
  const owes = await listRequiredFactors(ctx, caller.account);
  return { ...(await recordReauthentication(ctx, caller, { isByPassword, isFirstFactorOnly: owes.length > 0 })), owes };
}

export async function sendSecondFactorCode(
  ctx: Context,
  caller: Session,
  kind: 'email' | 'phone',
  locale: Locale,
): Promise<number> {
  await requireFirstFactor(ctx, caller);
  return sendFactorCode(ctx, caller, kind, locale);
}

export async function verifySecondFactor(
  ctx: Context,
  caller: Session,
  kind: SecondStep,
  code: string,
): Promise<RotatedToken> {
  await requireFirstFactor(ctx, caller);
  await requireSecondFactor(ctx, caller, kind, code);
  return recordReauthentication(ctx, caller);
}

async function requireFirstFactor(ctx: Context, caller: Session): Promise<void> {
  if (!(await isFirstFactorProven(ctx, caller))) throw new AppError('reauthenticate');
}

function purposeOf({ account, session }: Session): string {
  return `prove ${account} ${session}`;
}
