/** Handles a press on a notification or one of its buttons. */
import type { AccountId } from '@dostar/protocol/ids';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { readServiceWorkerState } from './service-worker-state.ts';
import { sendOutbox } from './send-outbox.ts';
import type { NotificationData, OpenPathMessage } from './worker-messages.ts';

declare const self: ServiceWorkerGlobalScope;

/** `reply`: the text typed into the notification, in browsers that support that. */
export async function handleNotificationClick(
  notification: Notification,
  action: string,
  reply: string | null,
): Promise<void> {
  notification.close();
  const data = notification.data as NotificationData | null;
  const peer = data?.peer as AccountId | undefined;
  const client = loadServiceWorkerClient();
  const account = await client.findAccount();
  if (account !== undefined && peer !== undefined && data !== null) {
    // Some desktops send the text without the action.
    const words = reply?.trim() ?? '';
    // While the app is locked, a reply could only be stored unencrypted: the app opens instead.
    if (words !== '' && !(await client.isLocked(account))) {
      await client.writeText(account, peer, words);
      return sendOutbox();
    }
    if (words === '' && action === 'read') return client.markChatRead(account, peer, data.at);
  }
  await openChat(data?.username);
}

/** In the tab that shows the chat, otherwise in any tab of the app, otherwise in a new one. */
async function openChat(username: string | undefined): Promise<void> {
  const { prefix } = (await readServiceWorkerState()) ?? { prefix: '' };
  const path = `${prefix}/contacts${username === undefined ? '' : `/${encodeURIComponent(username)}`}`;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => new URL(url).pathname === path) ?? pages[0];
  if (page === undefined) return void (await self.clients.openWindow(path));
  // The browser may refuse to focus the window; the chat opens anyway.
  await page.focus().catch(() => undefined);
  page.postMessage({ t: 'open', path } satisfies OpenPathMessage, []);
}
