/**
 * A worker that kills itself with -9 each time the mail server has accepted an email, before it can ack the job in
 * NATS.
 */
import process from 'node:process';
import { emailJobs } from '../src/features/operations/email/jobs.ts';
import { openSmtp } from '../src/platform/delivery/smtp.ts';
import type { Smtp } from '../src/platform/delivery/smtp.ts';
import { openEmailWorker } from './email-worker.ts';
import type { EmailWorkerOptions } from './email-worker.ts';

const options = JSON.parse(process.argv[2]!) as EmailWorkerOptions;
const smtp = openSmtp(options.smtpUrl, { name: 'Dostar', address: 'no-reply@localhost' });
const deadly: Smtp = {
  verify: () => smtp.verify(),
  async send(email) {
    await smtp.send(email);
    process.kill(process.pid, 'SIGKILL');
  },
  [Symbol.dispose]() {},
};
const emailWorker = await openEmailWorker(options, { smtp: deadly });
emailJobs(emailWorker.ctx);
