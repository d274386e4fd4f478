/** A browser that runs, and what was written on it that no server has yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { openBrowser } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import type { SealedBrowser } from '@dostar/client/testing/owners';
import type { AccountId, MessageId } from '@dostar/protocol/ids';

const SENT_WITHIN_MS = 20_000;

export interface Page extends SealedBrowser {
  unsent: Set<MessageId>;
  /** What is being written down at this moment. */
  writing: number;
  /** No user begins to write on it. */
  isBusy: boolean;
  account: AccountId;
}

/** `unsent`: what the client before it had written and not sent. */
export function startPage(
  browser: ReturnType<typeof openBrowser>,
  server: number,
  unsent: Set<MessageId> = new Set(),
): Page {
  const client = browser.start(server);
  const page = Object.assign(browser, { client, unsent, writing: 0, isBusy: false, account: browser.deps().account });
  if (unsent.size > 0) void watch(page);
  return page;
}

/** Local and at once. */
export async function sendFrom(page: Page, to: AccountId, text: string): Promise<void> {
  page.writing += 1;
  const id = await page.client.sendText({ to, text });
  page.unsent.add(id);
  page.writing -= 1;
  if (page.unsent.size === 1) void watch(page);
}

/** Nothing would be lost if it died now. */
export async function untilWritten(page: Page): Promise<void> {
  while (page.writing > 0) await sleep(5);
}

/** The oldest, then the next: all at once, each would be read again whenever anything is heard of any of them. */
async function watch({ client, unsent, account, inPage }: Page): Promise<void> {
  for (const id of unsent) {
    // What has failed for good is not waited for; the count of copies finds it.
    const sent = until(client.live.message({ sender: account, id }), (message) => message?.status !== 'sending');
    await inPage(() => sent);
    unsent.delete(id);
  }
}

/** In a while: a browser with something left out may never send what it has. */
export async function isSent(page: Page): Promise<boolean> {
  const giveUpAt = performance.now() + SENT_WITHIN_MS;
  while (page.writing + page.unsent.size > 0) {
    if (performance.now() > giveUpAt) return false;
    await sleep(50);
  }
  return true;
}
