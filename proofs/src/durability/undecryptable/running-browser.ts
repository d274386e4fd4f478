/** A running browser, and the messages written in it that no server has stored yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { openBrowser } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import type { SealedBrowser } from '@dostar/client/testing/owners';
import type { AccountId, MessageId } from '@dostar/protocol/ids';

const SENT_WITHIN_MS = 20_000;

export interface Page extends SealedBrowser {
  unsent: Set<MessageId>;
  /** Number of messages that are being stored locally. */
  writing: number;
  /** True while no user may write in this browser. */
  isBusy: boolean;
  account: AccountId;
}

/** `unsent`: messages that an earlier client of this browser stored and did not send. */
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

/** Stores the message locally and returns. */
export async function sendFrom(page: Page, to: AccountId, text: string): Promise<void> {
  page.writing += 1;
  const id = await page.client.sendText({ to, text });
  page.unsent.add(id);
  page.writing -= 1;
  if (page.unsent.size === 1) void watch(page);
}

/** Waits until a crash would lose nothing. */
export async function untilWritten(page: Page): Promise<void> {
  while (page.writing > 0) await sleep(5);
}

/**
 * Waits for one message after the other, oldest first. With all at once, every change would query each of them again.
 */
async function watch({ client, unsent, account, inPage }: Page): Promise<void> {
  for (const id of unsent) {
    // A message that failed permanently is not awaited; the count of copies finds it.
    const sent = until(client.live.message({ sender: account, id }), (message) => message?.status !== 'sending');
    await inPage(() => sent);
    unsent.delete(id);
  }
}

/** With a timeout: a sabotaged browser may never send its messages. */
export async function isSent(page: Page): Promise<boolean> {
  const giveUpAt = performance.now() + SENT_WITHIN_MS;
  while (page.writing + page.unsent.size > 0) {
    if (performance.now() > giveUpAt) return false;
    await sleep(50);
  }
  return true;
}
