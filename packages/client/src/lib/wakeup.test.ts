import { expect, test } from 'vitest';
import { createWakeup } from './wakeup.ts';
import { systemClock } from './clock.ts';

const FOUR_WEEKS_MS = 28 * 24 * 3_600_000;

test('a wait of four weeks, longer than a timer can run, does not end at once', async () => {
  const stop = new AbortController();
  const wakeup = createWakeup(systemClock, stop.signal);
  let ended = 0;
  const waits = [wakeup.wait(0, FOUR_WEEKS_MS), systemClock.sleep(FOUR_WEEKS_MS, stop.signal)].map(async (wait) => {
    await wait;
    ended += 1;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ended).toBe(0);
  stop.abort();
  await Promise.all(waits);
});

test('a wait never asks its clock for more time than a timer can run', async () => {
  const asked: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void asked.push(ms) };
  const wakeup = createWakeup(clock, new AbortController().signal);
  await wakeup.wait(0, FOUR_WEEKS_MS);
  await wakeup.wait(0, 1_000);
  expect(asked).toEqual([2 ** 31 - 1, 1_000]);
});
