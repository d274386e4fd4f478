/**
 * The client of the signed-in account, for every screen that shows messages. It is loaded and opened after the first
 * paint; until then screens show skeletons.
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

/** Opens the account's database, and closes that of another account. Idempotent. */
export async function openMessenger(account: string): Promise<void> {
  if (opened?.account === account) return;
  await closeMessenger();
  const current = { account, close: async () => {} };
  opened = current;
  const { openClient } = await import('./open-client.ts');
  if (opened !== current) return;
  const { client, close } = openClient(account as AccountId);
  const controller = new AbortController();
  // Back online the client retries at once: its backoff may be a minute by now.
  window.addEventListener('online', () => void client.nudge(), { signal: controller.signal });
  // Loaded after the first paint.
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
    await close();
  };
  store.write(client);
}

/** Called when an obstacle may be gone: the device can decrypt now, or the user has signed in again. */
export function nudgeMessenger(): void {
  void store.read()?.nudge();
}

export async function closeMessenger(): Promise<void> {
  const before = opened;
  opened = undefined;
  store.write(undefined);
  await before?.close();
}
