/** Tells the owner about a new sign-in, by email and on the devices that were there before. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { sendEmail } from '../../operations/email/service.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { findEmailRecipient } from '../../people/users/service.ts';

interface SignIn {
  account: AccountId;
  session: string;
  client: string;
}

/** Does nothing for the first session of a sign-up, which has no user document yet. A failed email does not fail the sign-in. */
export async function notifySignIn(ctx: Context, { account, session, client }: SignIn): Promise<void> {
  try {
    const recipient = await findEmailRecipient(ctx, account);
    if (!recipient) return;
    publishAlert(ctx, account);
    const data = { device: client, at: ctx.clock.now(), timeZone: undefined };
    await sendEmail(ctx, { id: `sign-in ${session}`, ...recipient, template: 'sign-in-notice', data });
  } catch (error) {
    ctx.log.warn({ err: error }, 'sign-in not announced');
  }
}
