/** What dies, when, and for how long. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../lib/report.ts';

/** `bus`: all its nodes at once. `shard`: one of the two PostgreSQL clusters. */
export type Kind = 'api' | 'gateway' | 'worker' | 'nats' | 'shard' | 'bus';

export interface Victim {
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
}

export type Victims = Record<Exclude<Kind, 'bus'>, Victim[]>;

const DOWN_MS = { least: 500, most: 2_500 };

export interface FaultOptions {
  kinds: Kind[];
  /** They are spread evenly over this time. */
  overMs: number;
  random: () => number;
}

/** Resolves when the last one is back. Answers how often each kind was killed. */
export async function sowFaults(report: Report, victims: Victims, options: FaultOptions): Promise<Map<Kind, number>> {
  const { kinds, overMs, random } = options;
  const killed = new Map<Kind, number>();
  const begun = performance.now();
  for (const [index, kind] of kinds.entries()) {
    const due = begun + ((index + 1) * overMs) / (kinds.length + 1);
    await sleep(Math.max(0, due - performance.now()));
    const chosen = kind === 'bus' ? victims.nats : [victims[kind][Math.floor(random() * victims[kind].length)]!];
    const downMs = DOWN_MS.least + random() * (DOWN_MS.most - DOWN_MS.least);
    const at = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
    report.say(`${at} s  kill -9 ${describe(kind, victims, chosen)}, back after ${(downMs / 1000).toFixed(1)} s`);
    for (const victim of chosen) victim.signal('SIGKILL');
    await sleep(downMs);
    await Promise.all(chosen.map((victim) => victim.restart()));
    const counted = kind === 'bus' ? 'nats' : kind;
    killed.set(counted, (killed.get(counted) ?? 0) + chosen.length);
  }
  return killed;
}

function describe(kind: Kind, victims: Victims, chosen: Victim[]): string {
  if (kind === 'bus') return 'all nats nodes';
  return `${kind} ${victims[kind].indexOf(chosen[0]!) + 1}`;
}
