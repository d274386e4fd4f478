/** Durations of parts in earlier runs on this machine, kept in `.dev/results/durations.json`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import type { Part } from './part.ts';
import type { Outcome } from './run-parts.ts';

export type Durations = Record<string, number>;

const file = join(devRoot, 'results/durations.json');

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Durations;
  } catch {
    return {};
  }
}

export function saveDurations(outcomes: Outcome[]): void {
  const passed = outcomes.filter(({ failed }) => failed === 0).map(({ name, milliseconds }) => [name, milliseconds]);
  mkdirSync(join(devRoot, 'results'), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readDurations(), ...Object.fromEntries(passed) }, undefined, 2));
}

/**
 * Sorts proofs by duration, longest first, so that the last one to end is a short one. Other parts keep their order.
 */
export function balance(parts: Part[], durations: Durations): Part[] {
  const secondsOf = ({ name, budget }: Part): number => durations[name] ?? budget * 1000;
  const proofs = parts.filter(isProof).toSorted((one, other) => secondsOf(other) - secondsOf(one));
  return parts.map((part) => (isProof(part) ? proofs.shift()! : part));
}

function isProof({ name }: Part): boolean {
  return name.startsWith('prove');
}
