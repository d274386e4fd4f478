import { liveQuery } from 'dexie';
import { createWakeup } from '../lib/wakeup.ts';
import { readPendingReindex } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { rowsWithTodo } from '../messages/store.ts';
import type { Search } from './search.ts';

/** Messages that arrive within this time are indexed together; no user searches for them in the same second. */
const DEBOUNCE_MS = 3_000;
/** Searches read a few new messages directly: writing a segment for each message would write megabytes every time. */
const MIN_INTERVAL_MS = 30_000;
/** From this number on, indexing does not wait: a search should not have to read more messages directly. */
const MAX_PENDING = 200;

/** Keeps the stored index up to date, in the leading tab, with the lowest priority. */
export async function runIndexer(
  db: Db,
  search: Search,
  { clock, log }: Pick<ClientDeps, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const wakeup = createWakeup(clock, signal);
  let isAsked = false;
  let restUntil = 0;
  const query = liveQuery(async () => [
    ...(await rowsWithTodo(db, 'index').reverse().limit(1).toArray()),
    ...(await readPendingReindex(db)),
  ]).subscribe((due) => {
    isAsked = due.length > 0;
    wakeup.trigger();
  });
  while (!signal.aborted) {
    const generation = wakeup.generation();
    if (isAsked && (await isDue())) await indexAll();
    await wakeup.wait(generation, isAsked ? Math.max(0, restUntil - clock.now()) : undefined);
  }
  query.unsubscribe();

  async function isDue(): Promise<boolean> {
    return clock.now() >= restUntil || (await rowsWithTodo(db, 'index').count()) >= MAX_PENDING;
  }

  async function indexAll(): Promise<void> {
    await clock.sleep(DEBOUNCE_MS, signal);
    try {
      while (!signal.aborted && (await search.indexSome()));
    } catch (error) {
      if (!signal.aborted) log('index not written', { error });
    }
    restUntil = clock.now() + MIN_INTERVAL_MS;
  }
}
