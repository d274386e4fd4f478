/** Delivers codes by email and text message, and encrypts the secrets of factors. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { productName } from '@dostar/protocol/product';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { findVerifiedEmail } from '../accounts/service.ts';
import { sendEmail } from '../../operations/email/service.ts';
import type { OneTimeCode } from './session-codes.ts';

const textOf: Record<Locale, (code: string) => string> = {
  en: (code) => `${code} is your ${productName} code. Keep it to yourself.`,
  kz: (code) => `${code} — ${productName} коды. Оны ешкімге айтпаңыз.`,
  ru: (code) => `${code} — ваш код ${productName}. Никому его не сообщайте.`,
};

export function sealSecret(ctx: Context, account: AccountId, kind: FactorKind, secret: string): string {
  return ctx.sealer.seal(contextOf(account, kind), secret);
}

/** Throws `unavailable` if the operator has removed the key that it was encrypted with. */
export function openSecret(ctx: Context, account: AccountId, kind: FactorKind, sealed: string | null): string {
  const secret = z.string().safeParse(sealed === null ? undefined : ctx.sealer.open(contextOf(account, kind), sealed));
  if (!secret.success) throw new AppError('unavailable');
  return secret.data;
}

function contextOf(account: AccountId, kind: FactorKind): string {
  return `factor ${kind} ${account}`;
}

export async function requireEmail(ctx: Context, account: AccountId): Promise<string> {
  const email = await findVerifiedEmail(ctx, account);
  if (email === undefined) throw new AppError('not_offered');
  return email;
}

export async function sendCodeByEmail(
  ctx: Context,
  account: AccountId,
  template: 'sign-in-code' | 'reauthentication-code',
  locale: Locale,
  { id, code, minutes }: OneTimeCode,
): Promise<void> {
  const to = await requireEmail(ctx, account);
  await sendEmail(ctx, { id, to, locale, template, data: { code, minutes } });
}

export async function sendCodeByText(
  ctx: Context,
  number: string,
  locale: Locale,
  { code }: OneTimeCode,
): Promise<void> {
  if (!ctx.textMessages) throw new AppError('not_offered');
  await ctx.textMessages.send(number, textOf[locale](code));
}
