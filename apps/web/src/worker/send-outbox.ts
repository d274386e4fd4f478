/** Background sync: sends messages that were written without a network, even if their tab was closed meanwhile. */
import { loadServiceWorkerClient } from './load-service-worker-client.ts';

declare const self: ServiceWorkerGlobalScope;

/** A browser allows a background sync some minutes; unsent messages wait for the next sync or start. */
const sendTimeoutMs = 90_000;
const pollIntervalMs = 1000;

/** Throws if messages are still waiting: the browser then wakes the worker again, later each time. */
export async function sendOutbox(): Promise<void> {
  const { countWaiting, findAccount, isLocked, sendWaiting: send } = loadServiceWorkerClient();
  const account = await findAccount();
  if (account === undefined) return;
  const deadline = AbortSignal.timeout(sendTimeoutMs);
  while (!deadline.aborted && (await countWaiting(account)) > 0) {
    // A page sends them once the app is unlocked (SPEC L7).
    if (await isLocked(account)) break;
    // An open page sends by itself, with the account's only engine; the page may be closed before it is done.
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

/** The page's signal aborts when a page of the app opens, because the page must not wait for the lock. */
async function runUntilPageOpens(task: (page: AbortSignal) => Promise<unknown>): Promise<void> {
  const found = new AbortController();
  const timer = setInterval(() => void hasOpenPage().then((isThere) => isThere && found.abort()), pollIntervalMs);
  try {
    await task(found.signal);
  } finally {
    clearInterval(timer);
  }
}
