/** Checks whether the app is locked, before anything of the account is opened. Without a lock it only reads a cache. */
import type { AccountId } from '@dostar/protocol/ids';
import type { TakeKeyMessage } from '../../worker/worker-messages.ts';
import { hasLock } from './has-lock.ts';
import { isIdleTimeoutOver } from './idle-clock.ts';

const rawKeyBytes = 32;
const answerTimeoutMs = 2000;

/** `open` also if no lock is set. */
export async function checkLock(id: string): Promise<'open' | 'locked'> {
  hasLock.write(await mayBeLocked(id));
  if (!hasLock.read()) return 'open';
  const { openAppLock } = await import('./app-lock.ts');
  const lock = openAppLock();
  const account = id as AccountId;
  if (lock.peek(account) === undefined) {
    const unlocked = await takeKeyFromWorker(id);
    if (unlocked !== null) lock.hold(account, unlocked as Parameters<typeof lock.hold>[1]);
  }
  const state = await lock.readState(account);
  hasLock.write(state.kind !== 'none');
  if (state.kind === 'none') return 'open';
  if (state.kind !== 'unlocked') return 'locked';
  if (!isIdleTimeoutOver(state.lock.lockAfterMinutes)) return 'open';
  // The tab that has the key slept with the computer, and has not noticed the timeout yet.
  await lock.lock(account);
  return 'locked';
}

/** A wrapped device key's file is longer than the raw key; a second file exists after an interrupted change. */
async function mayBeLocked(id: string): Promise<boolean> {
  if (!('caches' in window)) return false;
  const [file, next] = await Promise.all(
    ['device-key', 'next-device-key'].map((folder) => caches.match(`/${folder}/${id}`, { cacheName: 'keys' })),
  );
  const bytes = await file?.arrayBuffer();
  return next !== undefined || (bytes !== undefined && bytes.byteLength !== rawKeyBytes);
}

/** The key that the previous page of this tab handed to the worker while it unloaded. */
async function takeKeyFromWorker(account: string): Promise<object | null> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return null;
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<object | null>();
  port1.addEventListener('message', ({ data }: MessageEvent<object | null>) => resolve(data));
  port1.start();
  worker.postMessage({ t: 'take-key', account } satisfies TakeKeyMessage, [port2]);
  setTimeout(() => resolve(null), answerTimeoutMs);
  return promise;
}
