/** Asks the browser to wake the service worker for what waits to be sent, in case this tab is gone by then. */
import type { Client } from '@dostar/client';
import { syncTag } from '../../worker/names.ts';
import { registerWorker } from './register-worker.ts';

/** A message that leaves at once needs nobody else. */
const patience = 2000;

/** Chromium's; elsewhere what waits is sent at the next start. */
interface Waker {
  sync?: { register(tag: string): Promise<void> };
}

async function ask(): Promise<void> {
  const waker = (await registerWorker()) as Waker | undefined;
  // A person may forbid it: then it is as elsewhere.
  await waker?.sync?.register(syncTag).catch(() => undefined);
}

/** Returns how to stop. */
export function wakeForOutbox(client: Client): () => void {
  const waiting = client.live.outbox();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = waiting.subscribe(() => {
    clearTimeout(timer);
    const count = waiting.getSnapshot() ?? 0;
    if (count > 0) timer = setTimeout(() => void ask(), navigator.onLine ? patience : 0);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
