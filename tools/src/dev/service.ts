import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../servers/launch.ts';
import { isPortFree } from '../servers/ports.ts';
import { isRunning } from '../servers/processes.ts';
import { findRunning, writeRecord } from '../servers/records.ts';
import { waitFor } from '../servers/wait-for.ts';
import { folders } from './stack.ts';

export interface ServiceOptions {
  name: string;
  port: number;
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  isReady(): Promise<boolean>;
}

/** Starts one of our own programs in the background, unless it runs already. */
export async function startService(options: ServiceOptions): Promise<void> {
  const { name, port, command, args, cwd, env } = options;
  const log = join(folders.logs, `${name}.log`);
  if (!findRunning(name)) {
    if (!(await isPortFree(port))) throw new Error(`Port ${port}, which ${name} wants, is taken by another program.`);
    rmSync(log, { force: true });
    const ref = await launch({ command, args, cwd, env, log, survives: true });
    writeRecord({ name, ...ref, port, log, stopSignal: 'SIGTERM', startedAt: Date.now() });
  }
  const record = findRunning(name);
  const hasEnded = (): boolean => !record || !isRunning(record);
  try {
    await waitFor(async () => hasEnded() || (await options.isReady()), {
      timeoutMs: 60_000,
      everyMs: 100,
      what: `${name} on port ${port}`,
    });
    if (hasEnded()) throw new Error(`${name} ended at once.`);
  } catch (error) {
    const tail = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-20).join('\n') : '';
    throw new Error(`${(error as Error).message}\nIts log (${log}) ends with:\n${tail}`, { cause: error });
  }
}
