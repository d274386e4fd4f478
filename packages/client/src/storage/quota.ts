/**
 * Frees space when the storage quota is exceeded: first media, then the content of old messages, which the server still
 * has encrypted. Unsent messages and drafts are never deleted.
 */
import { timelineOf } from '../messages/store.ts';
import type { ClientDeps } from '../deps.ts';
import type { Db } from './open.ts';
import type { MessageRow } from './rows.ts';

/** The newest messages of every chat always keep their content. */
const KEPT_PER_CHAT = 200;

/** Repeats a write that exceeded the quota, after freeing space. */
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

/** Returns the number of messages whose content was deleted. */
export async function evictOldContent(db: Db): Promise<number> {
  let evicted = 0;
  for (const chat of await db.chats.toCollection().primaryKeys()) {
    // Read and written in one transaction: otherwise a message that is deleted meanwhile would return.
    evicted += await db.transaction('rw', [db.messages], async () => {
      const old = await timelineOf(db, chat).reverse().offset(KEPT_PER_CHAT).filter(isEvictable).toArray();
      // Deletes before it adds: a deletion needs no space, but in some browsers even writing a smaller row does.
      await db.messages.bulkDelete(old.map(({ sender, id }) => [sender, id]));
      await db.messages.bulkAdd(old.map(withoutContent));
      return old.length;
    });
  }
  return evicted;
}

/** Only messages that the server has numbered can be fetched again. */
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
