/** Writes the letters and hands them to the mail server. */
import type { Context } from '../../../context.ts';
import { PermanentFailure } from '../../../platform/bus/jobs.ts';
import { SmtpFailure } from '../../../platform/delivery/smtp.ts';
import { mailJob } from './mail.ts';
import type { MailJob } from './mail.ts';
import { writeLetter } from './write-letter.ts';

const MINUTE = 60_000;

export function mailJobs(ctx: Context): AsyncDisposable {
  return ctx.jobs.work(mailJob, {
    run: ({ id, payload }) => deliver(ctx, id, payload),
    onDead: ({ template }) => ctx.metrics.mails.inc({ template, outcome: 'dead' }),
  });
}

async function deliver(ctx: Context, id: string, mail: MailJob): Promise<void> {
  const { template } = mail;
  // An expired code would only send its reader to a page that refuses it.
  if (isTooLate(mail, ctx.clock.now())) {
    ctx.metrics.mails.inc({ template, outcome: 'late' });
    return;
  }
  const letter = await writeLetter(mail, ctx.origin);
  try {
    await ctx.smtp.send({ id, to: mail.to, ...letter });
    ctx.metrics.mails.inc({ template, outcome: 'sent' });
  } catch (error) {
    ctx.metrics.mails.inc({ template, outcome: 'failed' });
    if (error instanceof SmtpFailure && error.isPermanent) throw new PermanentFailure(error.message);
    throw error;
  }
}

function isTooLate({ askedAt, data }: MailJob, now: number): boolean {
  return 'minutes' in data && now > askedAt + data.minutes * MINUTE;
}
