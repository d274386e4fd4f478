import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { repoRoot } from '../servers/folders.ts';
import { findProcess, signalTree } from '../servers/processes.ts';

export interface CaptureOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
  /** Called with text that the program writes to file descriptor 3: test reporters print failures there at once. */
  onFailure?: (text: string) => void;
}

export interface Captured {
  code: number;
  output: string;
  /**
   * User and system time of the program and of the children it waited for. Engines that outlive it are not included.
   */
  cpuMs: number;
}

/** Runs a program and keeps its output. A program that hangs is killed, so that the parts after it still run. */
export async function capture(command: string, args: string[], options: CaptureOptions = {}): Promise<Captured> {
  const { timeoutMs = 600_000, cwd = repoRoot, env = process.env, onFailure } = options;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', onFailure ? 'pipe' : 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr!.on('data', (chunk: Buffer) => chunks.push(chunk));
  const failures = child.stdio[3] as Readable | null;
  failures?.on('data', (chunk: Buffer) => onFailure?.(chunk.toString()));
  const timer = setTimeout(() => {
    chunks.push(Buffer.from(`\nEnded after ${timeoutMs / 1000} s.\n`));
    const ref = child.pid === undefined ? undefined : findProcess(child.pid);
    if (ref) signalTree(ref, 'SIGKILL');
  }, timeoutMs);
  try {
    // Not 'close': an engine that outlives the program may hold its pipes open.
    const [code] = (await once(child, 'exit')) as [number | null];
    const cpuMs = takeChildrenMs();
    // Some programs print colours despite NO_COLOR.
    return { code: code ?? 1, output: stripVTControlCharacters(Buffer.concat(chunks).toString()).trim(), cpuMs };
  } catch (error) {
    return { code: 1, output: String(error), cpuMs: 0 };
  } finally {
    clearTimeout(timer);
    for (const stream of [child.stdout, child.stderr, failures]) stream?.destroy();
  }
}

/** Linux reports process times in hundredths of a second. */
const TICK_MS = 10;
let taken = 0;

/** CPU time of the children that have ended since the last call. 0 on systems without /proc. */
function takeChildrenMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Counts fields after the name in parentheses, which may contain spaces; cutime and cstime are fields 16 and 17.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const total = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
    const since = total - taken;
    taken = total;
    return since;
  } catch {
    return 0;
  }
}
