import { liveQuery } from 'dexie';
import { createBell } from '../lib/wakeup.ts';
import { readWithdrawn } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { todoOf } from '../messages/store.ts';
import type { Search } from './search.ts';

/** Nobody searches in the same second: what arrives together is written together. */
const GATHER_MS = 3_000;
/** A search looks at a few new messages directly; to write a piece of the index for each would write megabytes each time. */
const REST_MS = 30_000;
/** More than a search should have to look at. */
const MANY = 200;

/** Keeps the stored index up to date, in the leading tab, behind everything else. */
export async function runIndexer(
  db: Db,
  search: Search,
  { clock, log }: Pick<ClientDeps, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell(clock, signal);
  let isAsked = false;
  let restUntil = 0;
  const query = liveQuery(async () => [
    ...(await todoOf(db, 'index').reverse().limit(1).toArray()),
    ...(await readWithdrawn(db)),
  ]).subscribe((due) => {
    isAsked = due.length > 0;
    bell.ring();
  });
  while (!signal.aborted) {
    const rings = bell.rings();
    if (isAsked && (await isDue())) await indexAll();
    await bell.wait(rings, isAsked ? Math.max(0, restUntil - clock.now()) : undefined);
  }
  query.unsubscribe();

  async function isDue(): Promise<boolean> {
    return clock.now() >= restUntil || (await todoOf(db, 'index').count()) >= MANY;
  }

  async function indexAll(): Promise<void> {
    await clock.sleep(GATHER_MS, signal);
    try {
      while (!signal.aborted && (await search.indexSome()));
    } catch (error) {
      if (!signal.aborted) log('index not written', { error });
    }
    restUntil = clock.now() + REST_MS;
  }
}
