import { expect, test, vi } from 'vitest';
import { createLowPriorityLocks } from './low-priority-lock.ts';

const { locks } = navigator as unknown as { locks: LockManager };

test('a low-priority caller runs once a closing tab has released the lock, and not before', async () => {
  const tab = Promise.withResolvers<void>();
  const held = locks.request('account', () => tab.promise);
  const hold = vi.fn<() => Promise<void>>(async () => {});
  const waiting = createLowPriorityLocks(locks).request('account', { signal: new AbortController().signal }, hold);
  await vi.waitFor(async () => expect((await locks.query()).held).toHaveLength(1), 60_000);
  expect((await locks.query()).pending).toEqual([]);
  expect(hold).not.toHaveBeenCalled();
  tab.resolve();
  await held;
  await waiting;
  expect(hold).toHaveBeenCalledOnce();
});

test('a low-priority caller stops trying when aborted', async () => {
  const tab = Promise.withResolvers<void>();
  const held = locks.request('account', () => tab.promise);
  const stop = new AbortController();
  const hold = vi.fn<() => Promise<void>>(async () => {});
  const waiting = createLowPriorityLocks(locks).request('account', { signal: stop.signal }, hold);
  stop.abort();
  await waiting;
  expect(hold).not.toHaveBeenCalled();
  tab.resolve();
  await held;
});
