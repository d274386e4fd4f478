import type { Context } from '../../../context.ts';
import { emailJob } from './templates.ts';
import type { EmailMessage } from './templates.ts';

export type { AccountChange, AppwriteChange } from './templates.ts';

/**
 * Resolves when the email is queued durably; throws `unavailable` if it can't be. The same `id` again within ten minutes is
 * the same email.
 */
export async function sendEmail(ctx: Context, { id, ...message }: EmailMessage & { id: string }): Promise<void> {
  await ctx.jobs.publish(emailJob, { ...message, askedAt: ctx.clock.now() }, { id });
}

/** Announces something that is already done. Logs a failure instead of throwing it. */
export async function sendNotice(ctx: Context, notice: EmailMessage & { id: string }): Promise<void> {
  await sendEmail(ctx, notice).catch((error: unknown) => {
    ctx.log.warn({ err: error, template: notice.template }, 'notice not sent');
  });
}
