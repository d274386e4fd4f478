/**
 * Small files that the browser really deletes. IndexedDB does not: Chromium writes it to a log in which deleted values
 * stay readable, even those of deleted databases. An entry of Cache Storage is a file of its own, and the browser
 * removes that file when the entry is deleted or replaced.
 */
type Bytes = Uint8Array<ArrayBuffer>;

export interface KeyFiles {
  read(name: string): Promise<Bytes | undefined>;
  write(name: string, bytes: Bytes): Promise<void>;
  delete(name: string): Promise<void>;
  list(): Promise<string[]>;
}

const CACHE = 'keys';

/** Outside a browser IndexedDB is in memory, and so are these files. */
export function openKeyFiles(indexedDB: IDBFactory): KeyFiles {
  return 'caches' in globalThis ? openCachedFiles(globalThis.caches) : openMemoryFiles(indexedDB);
}

function openCachedFiles(caches: CacheStorage): KeyFiles {
  const open = (): Promise<Cache> => caches.open(CACHE);
  return {
    async read(name) {
      const reply = await (await open()).match(`/${name}`);
      return reply && new Uint8Array(await reply.arrayBuffer());
    },
    async write(name, bytes) {
      await (await open()).put(`/${name}`, new Response(bytes));
    },
    async delete(name) {
      await (await open()).delete(`/${name}`);
    },
    async list() {
      return (await (await open()).keys()).map(({ url }) => new URL(url).pathname.slice(1));
    },
  };
}

const memories = new WeakMap<IDBFactory, Map<string, Bytes>>();

function openMemoryFiles(indexedDB: IDBFactory): KeyFiles {
  const files = memories.get(indexedDB) ?? new Map<string, Bytes>();
  memories.set(indexedDB, files);
  return {
    read: async (name) => files.get(name),
    write: async (name, bytes) => void files.set(name, bytes),
    delete: async (name) => void files.delete(name),
    list: async () => [...files.keys()],
  };
}
