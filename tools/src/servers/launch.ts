import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SystemUser } from './folders.ts';
import { findProcess } from './processes.ts';
import type { ProcessRef } from './processes.ts';

export interface LaunchOptions {
  command: string;
  args: string[];
  log: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  user?: SystemUser | undefined;
  /**
   * True: the process outlives us and is stopped by its record. False: the kernel ends it when we die, even by kill -9.
   */
  survives: boolean;
}

export async function launch(options: LaunchOptions): Promise<ProcessRef> {
  mkdirSync(dirname(options.log), { recursive: true });
  const log = openSync(options.log, 'a');
  const tied = ['--pdeathsig', 'INT', '--', options.command, ...options.args];
  try {
    const child = spawn(options.survives ? options.command : 'setpriv', options.survives ? options.args : tied, {
      // In its own session: Ctrl-C in the terminal reaches only us, and we stop the engines in order.
      detached: true,
      stdio: ['ignore', log, log],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
      ...options.user,
    });
    await once(child, 'spawn');
    child.unref();
    const ref = child.pid === undefined ? undefined : findProcess(child.pid);
    if (!ref) throw new Error(`${options.command} ended at once; see ${options.log}`);
    return ref;
  } finally {
    closeSync(log);
  }
}
