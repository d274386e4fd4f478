/**
 * Many browsers live in one process here. Each page of a real one has a Dexie of its own; here all share one, whose live
 * queries would each take note of every write of every browser: work that grows with the square of their number.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Dexie } from 'dexie';

type Listener = Parameters<typeof Dexie.on.storagemutated.subscribe>[0];

const pages = new AsyncLocalStorage<string>();
const listeners = new Map<string, Set<Listener>>();
const pageOf = new Map<Listener, string>();
const mutations = Dexie.on.storagemutated;
const { subscribe, unsubscribe } = mutations;

mutations.subscribe = (listener) => {
  const page = pages.getStore();
  if (page === undefined) return subscribe(listener);
  pageOf.set(listener, page);
  const others = listeners.get(page) ?? new Set();
  listeners.set(page, others.add(listener));
};
mutations.unsubscribe = (listener) => {
  const page = pageOf.get(listener);
  if (page === undefined) return unsubscribe(listener);
  pageOf.delete(listener);
  listeners.get(page)?.delete(listener);
};
subscribe((parts) => {
  // What one transaction has written is of one database.
  const [, page = ''] = /^idb:\/\/(dostar\/[^/]+)\//.exec(Object.keys(parts)[0] ?? '') ?? [];
  for (const listener of listeners.get(page) ?? []) listener(parts);
});

/** Live queries that begin in the task, or in what it starts, hear of this database only. */
export function runAsPage<T>(database: string, task: () => T): T {
  return pages.run(database, task);
}
