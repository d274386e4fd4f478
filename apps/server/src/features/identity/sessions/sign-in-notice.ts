/** Tells the owner that somebody has signed in: by letter, and on the devices that were there before. */
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

/** The first session of a sign-up comes before the document and is told to nobody. A letter that can't be sent keeps nobody out. */
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
