import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { repoRoot } from './folders.ts';
import { launch } from './launch.ts';
import { canConnect } from './ports.ts';
import { isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { findRunning } from './records.ts';
import { waitFor } from './wait-for.ts';

// The package exports no path to its program.
const program = join(repoRoot, 'tools/node_modules/maildev/dist/bin/maildev.js');

export interface MailCatcherOptions {
  dir: string;
  smtpPort: number;
  webPort: number;
  /** Number of emails to keep; the oldest are deleted first. */
  maxEmails?: number;
  /** Name in .dev/run; without one it ends with the process that started it. */
  record?: string;
}

export interface MailCatcher extends Engine {
  readonly smtpUrl: string;
  readonly webUrl: string;
}

/** An SMTP server that shows every email and sends none. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const { smtpPort, webPort } = options;
  const log = join(options.dir, 'mail.log');

  async function start(): Promise<ProcessRef> {
    const present = options.record === undefined ? undefined : findRunning(options.record);
    if (present) return { pid: present.pid, identity: present.identity };
    const smtp = ['--smtp', String(smtpPort), '--ip', '127.0.0.1'];
    const web = ['--web', String(webPort), '--web-ip', '127.0.0.1'];
    // The default is one folder in /tmp for all users, which the second user of a machine could not read.
    const store = ['--mail-directory', join(options.dir, 'mails'), '--max-emails', String(options.maxEmails ?? 500)];
    // The catcher waits forever for a missing folder.
    mkdirSync(join(options.dir, 'mails'), { recursive: true });
    const args = [program, ...smtp, ...web, ...store];
    const ref = await launch({ command: process.execPath, args, log, survives: options.record !== undefined });
    const isUp = async (): Promise<boolean> => (await canConnect(smtpPort)) && (await canConnect(webPort));
    // Loading this large program takes longer than all other starts on a busy machine.
    await waitFor(async () => !isRunning(ref) || (await isUp()), {
      what: `the mail catcher on port ${webPort}`,
      timeoutMs: 60_000,
    });
    if (!isRunning(ref)) throw new Error(`The mail catcher did not start; see ${log}`);
    return ref;
  }

  const engine = await runEngine({ port: webPort, log, stopSignal: 'SIGTERM', record: options.record, start });
  return Object.assign(engine, {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl: `http://127.0.0.1:${webPort}`,
  });
}
