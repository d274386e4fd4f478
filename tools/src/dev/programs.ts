import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repoRoot } from '../servers/folders.ts';

export interface ProgramOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

function ignore(): void {}

/** Runs a program in this terminal and returns its exit code. The program itself receives and handles Ctrl-C. */
export async function runHere(command: string, args: string[], options: ProgramOptions = {}): Promise<number> {
  process.on('SIGINT', ignore);
  try {
    const child = spawn(command, args, { cwd: repoRoot, ...options, stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? (signal ? 1 : 0);
  } finally {
    process.off('SIGINT', ignore);
  }
}
