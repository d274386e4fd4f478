/** Counts which messages every browser of an account shows decrypted. */
import { until } from '@dostar/client/until';
import type { BrowserPool, Member } from './browser-pool.ts';
import type { Page } from './running-browser.ts';

export interface Copies {
  /** All messages of an account, once for each of its browsers. */
  wanted: number;
  opened: number;
  /** Messages that are not decrypted, by reason. */
  closed: Map<string, number>;
}

export function addCopies(parts: Copies[]): Copies {
  const total: Copies = { wanted: 0, opened: 0, closed: new Map() };
  for (const { wanted, opened, closed } of parts) {
    total.wanted += wanted;
    total.opened += opened;
    for (const [why, count] of closed) add(total.closed, why, count);
  }
  return total;
}

/**
 * Does not read a browser again once it has shown all its messages: writing has ended. Unless `isThorough`, uses the
 * browser's own count of unfinished messages while that is above zero, instead of reading message by message.
 */
export function createCount(pool: BrowserPool): (isThorough?: boolean) => Promise<Copies> {
  const complete = new Map<Page, number>();
  return async (isThorough = false) => {
    const copies: Copies = { wanted: 0, opened: 0, closed: new Map() };
    for (const member of pool.members) {
      for (const browser of member.browsers) {
        copies.wanted += member.messages;
        const opened = complete.get(browser) ?? (await count(member, browser, copies, isThorough));
        copies.opened += opened;
        if (opened === member.messages) complete.set(browser, opened);
      }
    }
    return copies;
  };

  async function count(member: Member, browser: Page, { closed }: Copies, isThorough: boolean): Promise<number> {
    if (isThorough) return look(pool, member, browser, closed);
    const undone = await countUndone(member, browser);
    if (undone === 0) return look(pool, member, browser, closed);
    add(closed, 'on their way', undone);
    return Math.max(0, member.messages - undone);
  }
}

async function countUndone({ messages }: Member, { client, inPage, unsent }: Page): Promise<number> {
  const { unopened, waiting } = await inPage(() => until(client.live.progress(), () => true));
  const { all } = await client.countMessages();
  return unopened + waiting + unsent.size + Math.max(0, messages - all);
}

async function look(pool: BrowserPool, member: Member, { client }: Page, closed: Copies['closed']): Promise<number> {
  let [opened, there] = [0, 0];
  for (const chat of pool.chatsOf(member)) {
    for (const { shows, status, error } of await client.listHistory({ chat, limit: 100_000 })) {
      there += 1;
      const isUnsent = status === 'sending' || status === 'failed';
      if (shows.state === 'content' && !isUnsent) opened += 1;
      else
        add(
          closed,
          isUnsent
            ? [status, error].filter(Boolean).join(' ')
            : 'reason' in shows
              ? `${shows.state}: ${shows.reason}`
              : shows.state,
          1,
        );
    }
  }
  if (there < member.messages) add(closed, 'not there', member.messages - there);
  return opened;
}

function add(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
