import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs the task in one process at a time. A child process that ends with us holds a kernel lock, so that a crash never
 * leaves a lock behind and no process has to guess whether a lock file is stale.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const holder = spawn('flock', [path, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  try {
    const [held] = await Promise.race([once(holder.stdout, 'data'), ended]);
    if (String(held) !== 'held\n') throw new Error(`Cannot lock ${path}.`);
    return await work();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
