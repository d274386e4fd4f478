/** Tells the owner that somebody has signed in: by letter, and on the devices that were there before. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { sendMail } from '../../operations/email/service.ts';
import { announceNews } from '../../messaging/mailbox/service.ts';
import { findLetterBox } from '../../people/users/service.ts';

interface SignIn {
  account: AccountId;
  session: string;
  client: string;
}

/** The first session of a sign-up comes before the document and is told to nobody. A letter that can't be sent keeps nobody out. */
export async function notifySignIn(ctx: Context, { account, session, client }: SignIn): Promise<void> {
  try {
    const recipient = await findLetterBox(ctx, account);
    if (!recipient) return;
    announceNews(ctx, account);
    const data = { device: client, at: ctx.clock.now(), timeZone: undefined };
    await sendMail(ctx, { id: `sign-in ${session}`, ...recipient, template: 'sign-in-notice', data });
  } catch (error) {
    ctx.log.warn({ err: error }, 'sign-in not announced');
  }
}
