/** A worker that dies by kill -9 each time the mail server has taken a mail, before it can tell NATS. */
import process from 'node:process';
import { mailJobs } from '../src/features/operations/email/jobs.ts';
import { openSmtp } from '../src/platform/delivery/smtp.ts';
import type { Smtp } from '../src/platform/delivery/smtp.ts';
import { openMailRoom } from './mail-room.ts';
import type { MailRoomOptions } from './mail-room.ts';

const options = JSON.parse(process.argv[2]!) as MailRoomOptions;
const smtp = openSmtp(options.smtpUrl, { name: 'Dostar', address: 'no-reply@localhost' });
const deadly: Smtp = {
  verify: () => smtp.verify(),
  async send(mail) {
    await smtp.send(mail);
    process.kill(process.pid, 'SIGKILL');
  },
  [Symbol.dispose]() {},
};
const room = await openMailRoom(options, { smtp: deadly });
mailJobs(room.ctx);
