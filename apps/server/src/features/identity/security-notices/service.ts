/** Emails the owner of an account about changes and series of failed sign-ins. */
import { randomUUID } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { sendNotice } from '../../operations/email/service.ts';
import type { AccountChange } from '../../operations/email/service.ts';
import { findLetterBox } from '../../people/users/service.ts';
import { countWrong } from './series.ts';

export { countWrong, takeBackWrong } from './series.ts';
export type { Series } from './series.ts';

/** After the change, which stays done whether or not the owner can be told. */
export async function tellChange(ctx: Context, account: AccountId, change: AccountChange): Promise<void> {
  const box = await findLetterBox(ctx, account).catch((error: unknown) => {
    ctx.log.warn({ err: error, change }, 'change not announced');
  });
  if (!box) return;
  const data = { change, at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `change ${randomUUID()}`, ...box, template: 'account-changed', data });
}

/** A started sign-in by password counts as wrong until it is finished. */
export async function tellWrongPassword(ctx: Context, account: AccountId): Promise<void> {
  await announceSeries(ctx, account, 'wrong-passwords', () => countWrong(ctx, 'password', account));
}

/** A wrong code after the right password or Google. */
export async function tellWrongCode(ctx: Context, account: AccountId): Promise<void> {
  await announceSeries(ctx, account, 'wrong-codes', () => countWrong(ctx, 'second-step', account));
}

/** Never throws: a sign-in goes on whether or not its owner can be told. */
async function announceSeries(
  ctx: Context,
  account: AccountId,
  template: 'wrong-passwords' | 'wrong-codes',
  isNew: () => Promise<boolean>,
): Promise<void> {
  try {
    const box = await findLetterBox(ctx, account);
    if (!box || !(await isNew())) return;
    const data = { at: ctx.clock.now(), timeZone: undefined };
    await sendNotice(ctx, { id: `series ${randomUUID()}`, ...box, template, data });
  } catch (error) {
    ctx.log.warn({ err: error, template }, 'series not announced');
  }
}
