// Identifies a process, so that a reused pid is never signalled.
import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait-for.ts';

export interface ProcessRef {
  pid: number;
  /** Boot id and start time, which differ for a reused pid. */
  identity: string;
}

export interface StopOptions {
  signal: NodeJS.Signals;
  gracePeriodMs?: number;
}

interface Stat {
  pid: number;
  state: string;
  parent: number;
  started: string;
  threads: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command may contain spaces and parentheses: fields are counted from its last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      state: fields[0] ?? '',
      parent: Number(fields[1]),
      started: fields[19] ?? '',
      threads: Number(fields[17]),
    };
  } catch {
    return undefined;
  }
}

/** A killed process is a zombie at once; while one of its threads finishes a write, its ports are still taken. */
function isOver({ state, threads }: Stat): boolean {
  return state === 'X' || (state === 'Z' && threads <= 1);
}

function findIdentity(pid: number): string | undefined {
  const stat = readStat(pid);
  if (!stat || isOver(stat)) return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${stat.started}`;
}

export function findProcess(pid: number): ProcessRef | undefined {
  const identity = findIdentity(pid);
  return identity === undefined ? undefined : { pid, identity };
}

export function isRunning(ref: ProcessRef): boolean {
  return findIdentity(ref.pid) === ref.identity;
}

export function listDescendants(pid: number): ProcessRef[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat.pid]);
  }
  const found: ProcessRef[] = [];
  const waiting = [pid];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const child of children.get(parent) ?? []) {
      waiting.push(child);
      const ref = findProcess(child);
      if (ref) found.push(ref);
    }
  }
  return found;
}

export function signalProcess(ref: ProcessRef, signal: NodeJS.Signals): void {
  if (!isRunning(ref)) return;
  try {
    process.kill(ref.pid, signal);
  } catch (error) {
    // The process may end between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Signals the parent first: once stopped or dead, it cannot start a child that the walk would miss. */
export function signalTree(ref: ProcessRef, signal: NodeJS.Signals): void {
  if (!isRunning(ref)) return;
  const before = listDescendants(ref.pid);
  signalProcess(ref, signal);
  const after = isRunning(ref) ? listDescendants(ref.pid) : [];
  const seen = new Map([...before, ...after].map((child) => [child.pid, child]));
  for (const child of seen.values()) signalProcess(child, signal);
}

/** Sends the stop signal, waits, then kills. Returns when the process and all its descendants are gone. */
export async function stopProcess(ref: ProcessRef, options: StopOptions): Promise<void> {
  if (!isRunning(ref)) return;
  const family = [ref, ...listDescendants(ref.pid)];
  // A stopped process would not receive the stop signal.
  signalTree(ref, 'SIGCONT');
  signalProcess(ref, options.signal);
  const areGone = (): boolean => family.every((member) => !isRunning(member));
  try {
    await waitFor(areGone, { timeoutMs: options.gracePeriodMs ?? 10_000, what: `process ${ref.pid} to end` });
  } catch {
    for (const member of family) signalProcess(member, 'SIGKILL');
    await waitFor(areGone, { what: `process ${ref.pid} to die` });
  }
}
