/** A notice was pressed, or one of its buttons. */
import type { AccountId } from '@dostar/protocol/ids';
import { loadAside } from './load-client.ts';
import { readMemo } from './service-worker-state.ts';
import { sendWaiting } from './send-waiting.ts';
import type { NoticeData, OpenWish } from './talk.ts';

declare const self: ServiceWorkerGlobalScope;

/** `reply`: what was written into the notice, where a browser offers that. */
export async function pressNotice(notice: Notification, action: string, reply: string | null): Promise<void> {
  notice.close();
  const data = notice.data as NoticeData | null;
  const peer = data?.peer as AccountId | undefined;
  const aside = loadAside();
  const account = await aside.findAccount();
  if (account !== undefined && peer !== undefined && data !== null) {
    // On some desktops the words come without the name of their button.
    const words = reply?.trim() ?? '';
    // Locked, it could only be kept in the clear: the app opens, and asks.
    if (words !== '' && !(await aside.isLocked(account))) {
      await aside.writeText(account, peer, words);
      return sendWaiting();
    }
    if (words === '' && action === 'read') return aside.markChatRead(account, peer, data.at);
  }
  await openChat(data?.username);
}

/** In the tab that shows it already, else in any tab of the app, else in a new one. */
async function openChat(username: string | undefined): Promise<void> {
  const { prefix } = (await readMemo()) ?? { prefix: '' };
  const path = `${prefix}/contacts${username === undefined ? '' : `/${encodeURIComponent(username)}`}`;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => new URL(url).pathname === path) ?? pages[0];
  if (page === undefined) return void (await self.clients.openWindow(path));
  // A browser may refuse to bring a window forward; the chat is open in it all the same.
  await page.focus().catch(() => undefined);
  page.postMessage({ t: 'open', path } satisfies OpenWish, []);
}
