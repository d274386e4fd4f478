import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handlePageMessage, handoffMs } from './key-handoff.ts';

const account = 'a11ce';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await handlePageMessage({ t: 'drop-key' }, undefined);
  vi.useRealTimers();
});

async function take(): Promise<unknown> {
  const answers: unknown[] = [];
  const port = { postMessage: (answer: unknown) => answers.push(answer) } as unknown as MessagePort;
  await handlePageMessage({ t: 'take-key', account }, port);
  return answers[0];
}

test('L6: the next page gets the key of a reloading page, and the worker forgets it soon', async () => {
  expect(await take()).toBeNull();
  const unlocked = { keyId: 'one' };
  const holding = handlePageMessage({ t: 'hold-key', account, unlocked }, undefined);
  expect(await take()).toBe(unlocked);
  await vi.advanceTimersByTimeAsync(handoffMs);
  await holding;
  expect(await take()).toBeNull();
});

test('L6: the timeout of an earlier key does not delete a later one', async () => {
  void handlePageMessage({ t: 'hold-key', account, unlocked: { keyId: 'one' } }, undefined);
  await vi.advanceTimersByTimeAsync(handoffMs - 1);
  void handlePageMessage({ t: 'hold-key', account, unlocked: { keyId: 'two' } }, undefined);
  await vi.advanceTimersByTimeAsync(1);
  expect(await take()).toEqual({ keyId: 'two' });
});

test('L6: a lock makes the worker forget the key at once', async () => {
  void handlePageMessage({ t: 'hold-key', account, unlocked: {} }, undefined);
  await handlePageMessage({ t: 'drop-key' }, undefined);
  expect(await take()).toBeNull();
});
