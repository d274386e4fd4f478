/**
 * Many browsers live in one process here. Each page of a real one has a Dexie of its own; here all share one, whose live
 * queries would each take note of every write of every browser: work that grows with the square of their number, and
 * that wakes what the write of another browser would not have awoken.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Dexie } from 'dexie';
import { IDBFactory } from 'fake-indexeddb';

type Listener = Parameters<typeof Dexie.on.storagemutated.subscribe>[0];

const pages = new AsyncLocalStorage<number>();
const listeners = new Map<number, Set<Listener>>();
const pageOf = new Map<Listener, number>();
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
  const [, page] = /^idb:\/\/[^#]*#(\d+)\//.exec(Object.keys(parts)[0] ?? '') ?? [];
  // That a database has just been made is told under the name it was asked for by.
  const told = page === undefined ? [...listeners.values()] : [listeners.get(Number(page)) ?? []];
  for (const set of told) for (const listener of set) listener(parts);
});

let disks = 0;

/** A browser's, whose databases are told apart by their names from those of the same account's other browsers. */
export class Disk extends IDBFactory {
  readonly #number = (disks += 1);

  override open(name: string, version?: number) {
    return super.open(this.#ownName(name), version);
  }

  override deleteDatabase(name: string) {
    return super.deleteDatabase(this.#ownName(name));
  }

  override async databases() {
    const all = await super.databases();
    return all.map(({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name: name.split('#')[0]! }) }));
  }

  /** Live queries that begin in the task, or in what it starts, hear of this disk only. */
  run<T>(task: () => T): T {
    return pages.run(this.#number, task);
  }

  #ownName(name: string): string {
    return `${name}#${this.#number}`;
  }
}
