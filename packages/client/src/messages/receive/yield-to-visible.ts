import type { ChatId } from '@dostar/protocol/ids';
import { readLoading, readStanding, readWanted } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import type { Clock } from '../../deps.ts';
import { listNewest } from '../store.ts';

/** A screen of messages, how often it is looked at, and how long the rest of the mail waits for it. */
const SCREEN = 50;
const LOOK_EVERY_MS = 25;
const AT_MOST_MS = 2_000;

/**
 * A long catch-up stands aside while somebody waits for the chat they have opened, from the moment its newest page is
 * asked for; once for each chat, and not for ever.
 */
export function createCourtesy(db: Db, clock: Clock, signal: AbortSignal): () => Promise<void> {
  let seen: unknown;
  let until = 0;

  return async () => {
    if ((await readStanding(db)).isCaughtUp) return;
    for (let chat = await findAwaited(db); chat !== undefined && !signal.aborted; chat = await findAwaited(db)) {
      if (chat !== seen) until = clock.now() + AT_MOST_MS;
      seen = chat;
      if (clock.now() >= until) return;
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  };
}

async function findAwaited(db: Db): Promise<unknown> {
  const loading = await readLoading(db);
  if (loading !== undefined) return loading;
  const chat = await readWanted(db);
  return typeof chat === 'string' && (await hasSealed(db, chat as ChatId)) ? chat : undefined;
}

async function hasSealed(db: Db, chat: ChatId): Promise<boolean> {
  return (await listNewest(db, chat, SCREEN)).some(({ todo }) => todo === 'open' || todo === 'wait');
}
