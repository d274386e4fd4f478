/**
 * How slow the machine is at this moment, so that a goal in seconds means the same on one that others use too: the time
 * of a fixed piece of work over its time where the goals hold.
 */
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { median } from '../load/statistics.ts';

const ROUNDS = 200_000;
const SAMPLES = 5;
/** The best of forty looks on an idle machine with two cores. */
const BASELINE_MS = 100;

/** 1 on that machine or a faster one, 2 where everything takes twice as long. */
export async function measureSlowness(): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const begun = performance.now();
    await promisify(pbkdf2)('', 'as stretching a password is', ROUNDS, 32, 'sha256');
    samples.push(performance.now() - begun);
  }
  return Math.max(1, median(samples) / BASELINE_MS);
}
