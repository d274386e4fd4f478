/**
 * How slow the machine is at this moment, so that a goal in milliseconds means the same on a busy one: the time of a fixed
 * piece of work (PBKDF2, off the page's thread, as stretching a password is) over its time where the goals were set.
 */
import type { Page } from '@playwright/test';

const ROUNDS = 200_000;
/** On the quiet machine with two cores on which the goals hold. */
const BASELINE_MS = 60;

/** 1 on that machine or a faster one, 2 where everything takes twice as long. */
export async function measureSlowness(page: Page): Promise<number> {
  const elapsedMs = await page.evaluate(async (iterations) => {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'PBKDF2', false, ['deriveBits']);
    const begun = performance.now();
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(16), iterations }, key, 256);
    return performance.now() - begun;
  }, ROUNDS);
  return Math.max(1, elapsedMs / BASELINE_MS);
}
