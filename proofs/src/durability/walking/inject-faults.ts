/** Kills processes and restarts them after a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../../harness/lib/report.ts';

/** `shard`: one of the two PostgreSQL clusters. */
export type Kind = 'api' | 'gateway' | 'worker' | 'nats' | 'shard';

interface Victim {
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
}

export type Victims = Record<Kind, Victim[]>;

const DOWN_MS = { least: 500, most: 2_500 };

export interface FaultOptions {
  kinds: Kind[];
  /** The faults are spread evenly over this time. */
  overMs: number;
  random: () => number;
}

/** Resolves when the time is over and every process runs again. Returns the number of kills of each kind. */
export async function injectFaults(
  report: Report,
  victims: Victims,
  options: FaultOptions,
): Promise<Map<Kind, number>> {
  const { kinds, overMs, random } = options;
  const killed = new Map<Kind, number>();
  const begun = performance.now();
  for (const [index, kind] of kinds.entries()) {
    const due = begun + ((index + 1) * overMs) / (kinds.length + 1);
    await sleep(Math.max(0, due - performance.now()));
    const number = Math.floor(random() * victims[kind].length);
    const victim = victims[kind][number]!;
    const downMs = DOWN_MS.least + random() * (DOWN_MS.most - DOWN_MS.least);
    const at = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
    report.say(`${at} s  kill -9 ${kind} ${number + 1}, back after ${(downMs / 1000).toFixed(1)} s`);
    victim.signal('SIGKILL');
    await sleep(downMs);
    await victim.restart();
    killed.set(kind, (killed.get(kind) ?? 0) + 1);
  }
  await sleep(Math.max(0, begun + overMs - performance.now()));
  return killed;
}
