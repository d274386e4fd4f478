import { liveQuery } from 'dexie';
import { createBell } from '../bell.ts';
import type { Db } from '../db/open.ts';
import type { ClientDeps } from '../deps.ts';
import { todoOf } from '../messages/store.ts';
import type { Search } from './search.ts';

/** Nobody searches in the same second: what arrives together is written together. */
const GATHER_MS = 3_000;

/** Keeps the stored index up to date, in the leading tab, behind everything else. */
export async function runIndexer(
  db: Db,
  search: Search,
  { clock, log }: Pick<ClientDeps, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell(clock, signal);
  let isAsked = false;
  const query = liveQuery(() => todoOf(db, 'index').last()).subscribe((last) => {
    isAsked = last !== undefined;
    bell.ring();
  });
  while (!signal.aborted) {
    const rings = bell.rings();
    if (isAsked) await indexAll();
    await bell.wait(rings);
  }
  query.unsubscribe();

  async function indexAll(): Promise<void> {
    await clock.sleep(GATHER_MS, signal);
    try {
      while (!signal.aborted && (await search.indexSome()));
    } catch (error) {
      if (!signal.aborted) log('index not written', { error });
    }
  }
}
