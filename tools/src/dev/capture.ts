import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { repoRoot } from '../servers/folders.ts';
import { findProcess, signalTree } from '../servers/processes.ts';

export interface CaptureOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

export interface Captured {
  code: number;
  output: string;
}

/** Runs a program and keeps what it says. One that hangs is ended, so the parts after it still get their turn. */
export async function capture(command: string, args: string[], options: CaptureOptions = {}): Promise<Captured> {
  const { timeoutMs = 600_000, cwd = repoRoot, env = process.env } = options;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const timer = setTimeout(() => {
    chunks.push(Buffer.from(`\nEnded after ${timeoutMs / 1000} s.\n`));
    const ref = child.pid === undefined ? undefined : findProcess(child.pid);
    if (ref) signalTree(ref, 'SIGKILL');
  }, timeoutMs);
  try {
    // Not 'close': an engine that outlives the program may hold its pipes open.
    const [code] = (await once(child, 'exit')) as [number | null];
    // Some programs paint whenever they believe to be watched, whatever NO_COLOR says.
    return { code: code ?? 1, output: stripVTControlCharacters(Buffer.concat(chunks).toString()).trim() };
  } catch (error) {
    return { code: 1, output: String(error) };
  } finally {
    clearTimeout(timer);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}
