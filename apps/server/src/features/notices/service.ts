/** Tells the owner of an account by email what has changed in it. */
import { randomUUID } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { sendNotice } from '../mail/service.ts';
import type { AccountChange } from '../mail/service.ts';
import { findLetterBox } from '../users/service.ts';

/** After the change, which stays done whether or not the owner can be told. */
export async function tellChange(ctx: Context, account: AccountId, change: AccountChange): Promise<void> {
  const box = await findLetterBox(ctx, account).catch((error: unknown) => {
    ctx.log.warn({ err: error, change }, 'change not announced');
  });
  if (!box) return;
  const data = { change, at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `change ${randomUUID()}`, ...box, template: 'account-changed', data });
}
