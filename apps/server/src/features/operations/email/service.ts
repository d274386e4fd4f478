import type { Context } from '../../../context.ts';
import { emailJob } from './templates.ts';
import type { EmailMessage } from './templates.ts';

export type { AccountChange, AppwriteChange } from './templates.ts';

/**
 * Resolves when the mail is sure to be tried; `unavailable` if nobody could promise that. The same `id` again within ten
 * minutes is the same mail.
 */
export async function sendEmail(ctx: Context, { id, ...message }: EmailMessage & { id: string }): Promise<void> {
  await ctx.jobs.publish(emailJob, { ...message, askedAt: ctx.clock.now() }, { id });
}

/** Tells of something that is done. If nobody can promise the letter it is done all the same: a failure here is no reason to say otherwise. */
export async function sendNotice(ctx: Context, notice: EmailMessage & { id: string }): Promise<void> {
  await sendEmail(ctx, notice).catch((error: unknown) => {
    ctx.log.warn({ err: error, template: notice.template }, 'notice not sent');
  });
}
