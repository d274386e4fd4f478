/**
 * Measures how slow the machine is at this moment, so that a goal in milliseconds has the same meaning on a busy
 * machine: the time of a fixed piece of work (PBKDF2, outside the main thread), divided by its time on the reference
 * machine.
 */
import type { Page } from '@playwright/test';

const ROUNDS = 200_000;
/** Measured on the idle reference machine with two cores. */
const BASELINE_MS = 60;

/** 1 on the reference machine or a faster one, 2 if everything takes twice as long. */
export async function measureSlowness(page: Page): Promise<number> {
  const elapsedMs = await page.evaluate(async (iterations) => {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'PBKDF2', false, ['deriveBits']);
    const begun = performance.now();
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(16), iterations }, key, 256);
    return performance.now() - begun;
  }, ROUNDS);
  return Math.max(1, elapsedMs / BASELINE_MS);
}
