/**
 * What to do when the browser says that the disk is full: media first, then the words of old messages, which the server
 * still has encrypted. Never what waits to be sent, nor a draft.
 */
import { timelineOf } from '../messages/store.ts';
import type { ClientDeps } from '../deps.ts';
import type { Db } from './open.ts';
import type { MessageRow } from './rows.ts';

/** Of every chat so many stay, whatever happens. */
const KEPT_PER_CHAT = 200;

/** Does it again once there is room. */
export async function withQuotaRetry<T>(
  db: Db,
  { freeMedia, log }: Pick<ClientDeps, 'freeMedia' | 'log'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    await freeMedia();
    const evicted = await evictOldContent(db);
    log('made room', { evicted });
    return write();
  }
}

/** How many messages lost their words here. */
export async function evictOldContent(db: Db): Promise<number> {
  let evicted = 0;
  for (const chat of await db.chats.toCollection().primaryKeys()) {
    // Read in the same transaction: a message that is deleted meanwhile would come back.
    evicted += await db.transaction('rw', [db.messages], async () => {
      const old = await timelineOf(db, chat).reverse().offset(KEPT_PER_CHAT).filter(isEvictable).toArray();
      // Deleting needs no room, which writing a smaller row does in some browsers.
      await db.messages.bulkDelete(old.map(({ sender, id }) => [sender, id]));
      await db.messages.bulkAdd(old.map(withoutContent));
      return old.length;
    });
  }
  return evicted;
}

/** Only what has a number: by it the server finds the message again. */
function isEvictable({ status, reading, todo, content, isEvicted }: MessageRow): boolean {
  return (
    status === 'sent' && reading !== undefined && todo === undefined && content !== undefined && isEvicted !== true
  );
}

function withoutContent(row: MessageRow): MessageRow {
  const { content: _, body: __, ...rest } = row;
  return { ...rest, isEvicted: true };
}

function isQuotaExceeded(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause ?? (one as { inner?: unknown }).inner) {
    if (one.name === 'QuotaExceededError') return true;
  }
  return false;
}
