/** Answers the service worker: the text of a chat's newest message, and the page of a pressed notification. */
import type { Client } from '@dostar/client';
import { readWorkerMessage } from '../../worker/worker-messages.ts';
import { readLocale } from '../i18n/locale.ts';
import { previewMessage } from '../messenger/preview-message.ts';
import { createStore } from '../lib/store.ts';
import { readTexts, requestTexts } from '../i18n/texts.ts';

const CHAT_LIMIT = 30;

/** The path to navigate to; the page that navigates clears it. */
export const requestedPath = createStore<string | undefined>(undefined);

/** Returns a function that stops it. */
export function handleWorkerMessages(client: Client): () => void {
  const controller = new AbortController();
  const chats = client.live.chats({ limit: CHAT_LIMIT });
  const stop = chats.subscribe(() => {});

  function handle({ data: received, ports: [port] }: MessageEvent<unknown>): void {
    const data = readWorkerMessage(received);
    if (data?.t === 'open') requestedPath.write(data.path);
    // oxlint-disable-next-line no-console -- The specification wants pushes to a visible page there; they name no user.
    if (data?.t === 'pushed') console.info('Push message received in the foreground:', data.push);
    if (data?.t === 'say' && port !== undefined) void sendPreview(data.chat, data.at, port);
  }

  /** Waits for a message that is not decrypted yet. The worker has its own timeout for the answer. */
  async function sendPreview(chat: string, at: number, port: MessagePort): Promise<void> {
    await requestTexts('said');
    const t = readTexts(readLocale(window.location.pathname)).translator('said');
    const { promise, resolve } = Promise.withResolvers<string>();
    function checkPreview(): void {
      const last = chats.getSnapshot()?.find((one) => one.chat === chat)?.last;
      if (last !== undefined && last.place >= at && last.shows.state === 'content')
        resolve(previewMessage(last.shows, t));
    }
    const unwatch = chats.subscribe(checkPreview);
    checkPreview();
    setTimeout(unwatch, 5000);
    port.postMessage(await promise);
  }

  navigator.serviceWorker?.addEventListener('message', handle, { signal: controller.signal });
  return () => {
    controller.abort();
    stop();
  };
}
