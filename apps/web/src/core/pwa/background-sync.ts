/** Asks the browser to wake the service worker for unsent messages, in case this tab is closed by then. */
import type { Client } from '@dostar/client';
import { syncTag } from '../../worker/names.ts';
import { registerWorker } from './register-worker.ts';

/** A message that leaves immediately needs no background sync. */
const syncDelayMs = 2000;

/** Only Chromium has it; in other browsers unsent messages are sent at the next start. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

async function requestSync(): Promise<void> {
  const registration = (await registerWorker()) as SyncRegistration | undefined;
  // A person may forbid it: then messages are sent at the next start.
  await registration?.sync?.register(syncTag).catch(() => undefined);
}

/** Returns a function that stops it. */
export function requestOutboxSync(client: Client): () => void {
  const outboxCount = client.live.outbox();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = outboxCount.subscribe(() => {
    clearTimeout(timer);
    const count = outboxCount.getSnapshot() ?? 0;
    if (count > 0) timer = setTimeout(() => void requestSync(), navigator.onLine ? syncDelayMs : 0);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
