import { listChat } from '@dostar/protocol/contract/messages';
import { AppError } from '@dostar/protocol/errors';
import type { ChatId } from '@dostar/protocol/ids';
import { readStanding } from '../db/meta.ts';
import type { Db } from '../db/open.ts';
import type { Standing } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { callEndpoint } from '../net/http.ts';
import { storeEntries } from './receive.ts';
import { listTimeline, type Message } from './store.ts';

export interface HistoryPage {
  chat: ChatId;
  /** The number of the oldest message already shown; left out, the page ends with the newest. */
  before?: number;
  limit?: number;
}

/**
 * A page of a chat, oldest first. This device has all of the log up to its cursor, so a page below it is read locally and needs no
 * network. Only above it, while a long catch-up runs, the server is asked, and what it says is kept; if it is
 * away, the page is what there is.
 */
export async function listHistory(
  db: Db,
  deps: Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>,
  { chat, before, limit = 50 }: HistoryPage,
  signal: AbortSignal,
): Promise<Message[]> {
  if (!isCovered(await readStanding(db), before)) {
    try {
      const body = { chat, limit, ...(before !== undefined && { before }) };
      const { epoch, entries } = await callEndpoint(deps, listChat, body, signal);
      await db.transaction('rw', [db.messages, db.outbox, db.chats, db.meta], async () => {
        const standing = await readStanding(db);
        if (epoch === standing.epoch) await storeEntries(db, deps.account, entries, standing.reading);
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return db.transaction('r', [db.messages, db.registers], () => listTimeline(db, chat, limit, before));
}

function isCovered({ seq, isCaughtUp }: Standing, before: number | undefined): boolean {
  return before === undefined ? isCaughtUp : before <= seq + 1;
}
