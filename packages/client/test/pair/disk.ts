/**
 * Isolates the browsers of one process. In production each page has its own Dexie; here all share one, and each write
 * would rerun the live queries of every browser. That costs quadratic time, and reruns queries that a real browser
 * would not rerun.
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
  // A transaction writes to one database only.
  const [, page] = /^idb:\/\/[^#]*#(\d+)\//.exec(Object.keys(parts)[0] ?? '') ?? [];
  // The creation of a database is reported under its original name, so every listener hears it.
  const told = page === undefined ? [...listeners.values()] : [listeners.get(Number(page)) ?? []];
  for (const set of told) for (const listener of set) listener(parts);
});

let disks = 0;

/** The disk of one browser. Its databases have unique names, so that browsers of the same account do not share them. */
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

  /** Live queries that start in the task, or in code that it starts, hear changes of this disk only. */
  run<T>(task: () => T): T {
    return pages.run(this.#number, task);
  }

  #ownName(name: string): string {
    return `${name}#${this.#number}`;
  }
}
