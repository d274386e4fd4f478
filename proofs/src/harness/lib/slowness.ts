/**
 * Measures how slow the machine is at this moment, so that a goal in seconds has the same meaning on a shared machine:
 * the time of a fixed piece of work, divided by its time on the machine for which the goals were set.
 */
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { median } from '../load/statistics.ts';

const ROUNDS = 200_000;
const SAMPLES = 5;
/** The best of forty measurements on an idle machine with two cores. */
const BASELINE_MS = 100;

/** 1 on the reference machine or a faster one, 2 if everything takes twice as long. */
export async function measureSlowness(): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const begun = performance.now();
    await promisify(pbkdf2)('', 'as stretching a password is', ROUNDS, 32, 'sha256');
    samples.push(performance.now() - begun);
  }
  return Math.max(1, median(samples) / BASELINE_MS);
}
