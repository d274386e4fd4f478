/** Whether the app is locked, asked before anything of the account is opened. Costs a look into a cache where no lock is set. */
import type { AccountId } from '@dostar/protocol/ids';
import type { TakeKeyMessage } from '../../worker/worker-messages.ts';
import { hasLock } from './has-lock.ts';
import { isIdleTimeoutOver } from './idle-clock.ts';

const rawKeyBytes = 32;
const answerTimeoutMs = 2000;

/** `open`: also where no lock is set. */
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
  // The tab that has the key slept with the computer, and has not noticed yet.
  await lock.lock(account);
  return 'locked';
}

/** The device key's file is longer than a key while it is wrapped; a second one is there if a change was interrupted. */
async function mayBeLocked(id: string): Promise<boolean> {
  if (!('caches' in window)) return false;
  const [file, next] = await Promise.all(
    ['device-key', 'next-device-key'].map((folder) => caches.match(`/${folder}/${id}`, { cacheName: 'keys' })),
  );
  const bytes = await file?.arrayBuffer();
  return next !== undefined || (bytes !== undefined && bytes.byteLength !== rawKeyBytes);
}

/** What the page before this one handed over while it unloaded. */
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
