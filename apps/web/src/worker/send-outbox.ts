/** Background sync: what was written without a network is sent once it is back, also if its tab was closed meanwhile. */
import { loadServiceWorkerClient } from './load-service-worker-client.ts';

declare const self: ServiceWorkerGlobalScope;

/** A browser gives a waking worker some minutes; what is not sent by then waits for the next waking, or the next start. */
const sendTimeoutMs = 90_000;
const pollIntervalMs = 1000;

/** Throws where something still waits: the browser then wakes the worker again, later each time. */
export async function sendOutbox(): Promise<void> {
  const { countWaiting, findAccount, isLocked, sendWaiting: send } = loadServiceWorkerClient();
  const account = await findAccount();
  if (account === undefined) return;
  const deadline = AbortSignal.timeout(sendTimeoutMs);
  while (!deadline.aborted && (await countWaiting(account)) > 0) {
    // The page sends it once the app is unlocked (SPEC L7).
    if (await isLocked(account)) break;
    // A page sends by itself, and its engine is the account's only one; it may be closed before it is done.
    if (await hasOpenPage()) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    else
      await runUntilPageOpens((page) =>
        send({ account, locks: navigator.locks, log: () => {} }, AbortSignal.any([deadline, page])),
      );
  }
  if ((await countWaiting(account)) > 0) throw new Error('something still waits');
}

async function hasOpenPage(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.length > 0;
}

/** The signal is aborted when a page of the app opens: the page must not wait for the lock. */
async function runUntilPageOpens(task: (page: AbortSignal) => Promise<unknown>): Promise<void> {
  const found = new AbortController();
  const timer = setInterval(() => void hasOpenPage().then((isThere) => isThere && found.abort()), pollIntervalMs);
  try {
    await task(found.signal);
  } finally {
    clearInterval(timer);
  }
}
