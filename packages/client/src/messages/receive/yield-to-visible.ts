import type { ChatId } from '@dostar/protocol/ids';
import { readLoadingChat, readSyncState, readVisibleChat } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { listNewest } from '../store.ts';

/** The number of messages on a screen, how often they are checked, and the longest pause of the catch-up. */
const SCREEN = 50;
const POLL_INTERVAL_MS = 25;
const MAX_WAIT_MS = 2_000;

/**
 * Pauses a long catch-up while the person waits for a chat that they opened, from the moment its newest page is
 * requested; once for each chat, for at most MAX_WAIT_MS.
 */
export function createYieldToVisibleChat(db: Db, clock: Clock, signal: AbortSignal): () => Promise<void> {
  let seen: unknown;
  let until = 0;

  return async () => {
    if ((await readSyncState(db)).isCaughtUp) return;
    for (
      let chat = await findAwaitedChat(db);
      chat !== undefined && !signal.aborted;
      chat = await findAwaitedChat(db)
    ) {
      if (chat !== seen) until = clock.now() + MAX_WAIT_MS;
      seen = chat;
      if (clock.now() >= until) return;
      await clock.sleep(POLL_INTERVAL_MS, signal);
    }
  };
}

async function findAwaitedChat(db: Db): Promise<unknown> {
  const loading = await readLoadingChat(db);
  if (loading !== undefined) return loading;
  const chat = await readVisibleChat(db);
  return typeof chat === 'string' && (await hasSealed(db, chat as ChatId)) ? chat : undefined;
}

async function hasSealed(db: Db, chat: ChatId): Promise<boolean> {
  return (await listNewest(db, chat, SCREEN)).some(({ todo }) => todo === 'open' || todo === 'wait');
}
