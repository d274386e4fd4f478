import type { Context } from '../../context.ts';
import { mailJob } from './mail.ts';
import type { Mail } from './mail.ts';

/**
 * Resolves when the mail is sure to be tried; `unavailable` if nobody could promise that. The same `id` again within ten
 * minutes is the same mail.
 */
export async function sendMail(ctx: Context, { id, ...mail }: Mail & { id: string }): Promise<void> {
  await ctx.jobs.publish(mailJob, { ...mail, askedAt: ctx.clock.now() }, { id });
}
