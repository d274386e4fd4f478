/** Renders emails and sends them to the mail server. */
import type { Context } from '../../../context.ts';
import { PermanentFailure } from '../../../platform/bus/jobs.ts';
import { SmtpFailure } from '../../../platform/delivery/smtp.ts';
import { emailJob } from './templates.ts';
import type { EmailJob } from './templates.ts';
import { renderEmail } from './render-email.ts';

const MINUTE = 60_000;

export function emailJobs(ctx: Context): AsyncDisposable {
  return ctx.jobs.work(emailJob, {
    run: ({ id, payload }) => deliver(ctx, id, payload),
    onDead: ({ template }) => ctx.metrics.emails.inc({ template, outcome: 'dead' }),
  });
}

async function deliver(ctx: Context, id: string, message: EmailJob): Promise<void> {
  const { template } = message;
  // An expired code would only send its reader to a page that refuses it.
  if (isTooLate(message, ctx.clock.now())) {
    ctx.metrics.emails.inc({ template, outcome: 'late' });
    return;
  }
  const email = await renderEmail(message, ctx.origin);
  try {
    await ctx.smtp.send({ id, to: message.to, ...email });
    ctx.metrics.emails.inc({ template, outcome: 'sent' });
  } catch (error) {
    ctx.metrics.emails.inc({ template, outcome: 'failed' });
    if (error instanceof SmtpFailure && error.isPermanent) throw new PermanentFailure(error.message);
    throw error;
  }
}

function isTooLate({ askedAt, data }: EmailJob, now: number): boolean {
  return 'minutes' in data && now > askedAt + data.minutes * MINUTE;
}
