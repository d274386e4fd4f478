import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SystemUser } from './folders.ts';

const execute = promisify(execFile);

export interface RunOptions {
  user?: SystemUser | undefined;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Runs a program until it ends; an error contains its output. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  try {
    const { user, ...rest } = options;
    const { stdout } = await execute(command, args, { maxBuffer: 64 * 1024 * 1024, ...rest, ...user });
    return stdout.trim();
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`${command} failed: ${(stderr || stdout || String(error)).trim()}`, { cause: error });
  }
}
