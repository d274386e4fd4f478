/** Emails the owner of an account about changes and series of failed sign-ins. */
import { randomUUID } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { sendNotice } from '../../operations/email/service.ts';
import type { AccountChange } from '../../operations/email/service.ts';
import { findEmailRecipient } from '../../people/users/service.ts';
import { countFailure } from './repeated-failures.ts';

export { countFailure, uncountFailure } from './repeated-failures.ts';
export type { FailureKind } from './repeated-failures.ts';

/** Call it after the change. Never throws: the change stays, even if no email can be sent. */
export async function notifyAccountChange(ctx: Context, account: AccountId, change: AccountChange): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account).catch((error: unknown) => {
    ctx.log.warn({ err: error, change }, 'change not announced');
  });
  if (!recipient) return;
  const data = { change, at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `change ${randomUUID()}`, ...recipient, template: 'account-changed', data });
}

/** After the change. An account without an email address or a user document gets none. */
export async function notifyOwner(
  ctx: Context,
  account: AccountId,
  template: 'password-changed' | 'recovery-key' | 'account-locked' | 'fresh-start',
): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account);
  if (!recipient) return;
  const data = { at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `${template} ${randomUUID()}`, ...recipient, template, data });
}

/** A started sign-in by password counts as wrong until it is finished. */
export async function notifyWrongPasswords(ctx: Context, account: AccountId): Promise<void> {
  await notifyRepeatedFailures(ctx, account, 'wrong-passwords', () => countFailure(ctx, 'password', account));
}

/** A wrong code after the right password or Google. */
export async function notifyWrongCodes(ctx: Context, account: AccountId): Promise<void> {
  await notifyRepeatedFailures(ctx, account, 'wrong-codes', () => countFailure(ctx, 'second-step', account));
}

/** Never throws: a sign-in continues even if no email can be sent. */
async function notifyRepeatedFailures(
  ctx: Context,
  account: AccountId,
  template: 'wrong-passwords' | 'wrong-codes',
  isNew: () => Promise<boolean>,
): Promise<void> {
  try {
    const recipient = await findEmailRecipient(ctx, account);
    if (!recipient || !(await isNew())) return;
    const data = { at: ctx.clock.now(), timeZone: undefined };
    await sendNotice(ctx, { id: `series ${randomUUID()}`, ...recipient, template, data });
  } catch (error) {
    ctx.log.warn({ err: error, template }, 'series not announced');
  }
}
