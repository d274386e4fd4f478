import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAcker } from './acker.ts';
import { systemClock } from '../lib/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first ack is sent at once, a burst gets one ack, and no ack is sent twice', async () => {
  const { acker, sent } = start();
  acker.ack(1);
  expect(sent).toEqual([1]);
  for (let seq = 2; seq <= 200; seq += 1) acker.ack(seq);
  await vi.advanceTimersByTimeAsync(10_000);
  acker.ack(200);
  expect(sent).toEqual([1, 200]);
});

test('a stream of messages is acked a few times a second', async () => {
  const { acker, sent } = start();
  for (let seq = 1; seq <= 1_000; seq += 1) {
    acker.ack(seq);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.length).toBeLessThanOrEqual(42);
  expect(sent.at(-1)).toBe(1_000);
});

test('C3: after numbers have started again, no older one is acked', async () => {
  const { acker, sent } = start();
  acker.ack(5);
  acker.ack(9);
  acker.forget();
  await vi.advanceTimersByTimeAsync(1_000);
  acker.ack(2);
  expect(sent).toEqual([5, 2]);
});

function start() {
  const sent: number[] = [];
  const acker = createAcker((seq) => void sent.push(seq), systemClock, new AbortController().signal);
  return { acker, sent };
}
