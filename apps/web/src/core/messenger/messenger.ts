/**
 * The client of the account that is signed in here, for every screen that shows mail. It is loaded and opened after the
 * first paint; screens draw their outline until then.
 */
import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { createStore, useStore } from '../lib/store.ts';
import { reportFocus } from '../notifications/report-focus.ts';

const store = createStore<Client | undefined>(undefined);
let opened: { account: string; close: () => Promise<void> } | undefined;

export function useMessenger(): Client | undefined {
  return useStore(store, undefined);
}

/** Opens the account's database, closing the one of another account. Idempotent. */
export async function openMessenger(account: string): Promise<void> {
  if (opened?.account === account) return;
  await closeMessenger();
  const current = { account, close: async () => {} };
  opened = current;
  const { openClient } = await import('./open-client.ts');
  if (opened !== current) return;
  const client = openClient(account as AccountId);
  const controller = new AbortController();
  // Back online the client retries at once: its own retry delay may be a minute by now.
  window.addEventListener('online', () => void client.nudge(), { signal: controller.signal });
  // After the first paint, and only with notifications switched on.
  const newMessageWatch = import('../notifications/watch-new-messages.ts').then(({ watchNewMessages }) =>
    watchNewMessages(client, account),
  );
  const outboxSync = import('../pwa/background-sync.ts').then(({ requestOutboxSync }) => requestOutboxSync(client));
  const workerMessages = import('../pwa/handle-worker-messages.ts').then(({ handleWorkerMessages }) =>
    handleWorkerMessages(client),
  );
  const stopFocusReports = reportFocus(client);
  current.close = async () => {
    controller.abort();
    stopFocusReports();
    (await newMessageWatch)();
    (await outboxSync)();
    (await workerMessages)();
    await client[Symbol.asyncDispose]();
  };
  store.write(client);
}

/** An obstacle may have gone: it can read and write now, or knows who the user is. */
export function nudgeMessenger(): void {
  void store.read()?.nudge();
}

export async function closeMessenger(): Promise<void> {
  const before = opened;
  opened = undefined;
  store.write(undefined);
  await before?.close();
}
