import { listChat } from '@dostar/protocol/contract/messages';
import { AppError } from '@dostar/protocol/errors';
import type { ChatId } from '@dostar/protocol/ids';
import { readSyncState } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import type { SyncState } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { callEndpoint } from '../../net/http.ts';
import { storeEntries } from '../receive/receive.ts';
import { listNewest, messageTables, pageTables, readPage } from '../store.ts';
import type { RowPage } from './view.ts';

export interface HistoryPage {
  chat: ChatId;
  /** The number of the oldest message already shown; by default the page ends with the newest message. */
  before?: number;
  limit?: number;
}

/**
 * A page of a chat, oldest first. This device has the whole mailbox up to its cursor, so older pages are read locally.
 * Newer ones, while a long catch-up runs, and evicted content are fetched from the server and stored; without a
 * connection the page has only what is stored.
 */
export async function loadHistory(
  db: Db,
  deps: Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>,
  { chat, before, limit = 50 }: HistoryPage,
  signal: AbortSignal,
): Promise<RowPage> {
  if (!isCovered(await readSyncState(db), before) || (await lacksContent(db, chat, limit, before))) {
    try {
      const body = { chat, limit, ...(before !== undefined && { before }) };
      const { epoch, entries } = await callEndpoint(deps, listChat, body, signal);
      await db.transaction('rw', messageTables(db), async () => {
        const syncState = await readSyncState(db);
        // Before the first frame of a first reading the epoch is unknown.
        if (epoch === syncState.epoch || syncState.epoch === 0)
          await storeEntries(db, deps.account, entries, syncState.reading);
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return db.transaction('r', pageTables(db), async () =>
    readPage(db, deps.account, await listNewest(db, chat, limit, before)),
  );
}

function isCovered({ seq, isCaughtUp }: SyncState, before: number | undefined): boolean {
  return before === undefined ? isCaughtUp : before <= seq + 1;
}

async function lacksContent(db: Db, chat: ChatId, limit: number, before: number | undefined): Promise<boolean> {
  return (await listNewest(db, chat, limit, before)).some(({ isEvicted }) => isEvicted === true);
}
