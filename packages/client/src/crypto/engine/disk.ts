/**
 * Persists the engine on Node, where IndexedDB is in memory: all key data as one value, written atomically. After a
 * restart the process is the same device; a new device at every restart would make every contact's browser query keys
 * again.
 *
 * The engine is saved before anything is sent and before a sync token is stored, so a restart never forgets a state
 * that others have seen.
 */
interface StoredTable {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[];
  rows: { key: IDBValidKey; value: unknown }[];
}

interface StoredDatabase {
  name: string;
  version: number;
  tables: StoredTable[];
}

/** Databases of the engine. Messages are not saved: they are read from the server again. */
const OURS = ['dostar/engine/', 'dostar/crypto/'];

/** Where the value is stored. Writes are atomic: after a crash there is the old or the new value, never half of one. */
export interface ValueStore {
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
}

export interface Disk {
  /** Restores the saved value, if there is one. Call it before any database is opened. */
  load(): Promise<void>;
  save(): Promise<void>;
}

export function openDisk(indexedDB: IDBFactory, storage: ValueStore): Disk {
  let saving: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    async load() {
      const saved = (await storage.read()) as StoredDatabase[] | undefined;
      for (const database of saved ?? []) await restoreDatabase(indexedDB, database);
    },
    /**
     * Saves run one after another, so that an older state never overwrites a newer one. A call during a save waits for
     * the next one, which has not read the databases yet.
     */
    save() {
      next ??= saving.then(async () => {
        next = undefined;
        await storage.write(await readAll(indexedDB));
      });
      saving = next.catch(() => {});
      return next;
    },
  };
}

async function readAll(indexedDB: IDBFactory): Promise<StoredDatabase[]> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  const ours = names.filter((name) => OURS.some((prefix) => name.startsWith(prefix)));
  return Promise.all(ours.map((name) => readDatabase(indexedDB, name)));
}

async function readDatabase(indexedDB: IDBFactory, name: string): Promise<StoredDatabase> {
  const db = await finish(indexedDB.open(name));
  try {
    const names = [...db.objectStoreNames];
    if (names.length === 0) return { name, version: db.version, tables: [] };
    // One transaction over all tables, so that the copy is consistent.
    const transaction = db.transaction(names, 'readonly');
    const tables = names.map(async (table): Promise<StoredTable> => {
      const store = transaction.objectStore(table);
      const [keys, values] = await Promise.all([finish(store.getAllKeys()), finish(store.getAll())]);
      const indexes = [...store.indexNames].map((index) => {
        const { name: own, keyPath, unique, multiEntry } = store.index(index);
        return { name: own, keyPath, unique, multiEntry };
      });
      const rows = keys.map((key, index) => ({ key, value: values[index] as unknown }));
      return { name: table, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, rows };
    });
    return { name, version: db.version, tables: await Promise.all(tables) };
  } finally {
    db.close();
  }
}

async function restoreDatabase(indexedDB: IDBFactory, { name, version, tables }: StoredDatabase): Promise<void> {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', () => {
    for (const { name: table, keyPath, autoIncrement, indexes, rows } of tables) {
      const store = request.result.createObjectStore(table, { keyPath, autoIncrement });
      for (const { name: index, keyPath: path, unique, multiEntry } of indexes) {
        store.createIndex(index, path, { unique, multiEntry });
      }
      for (const { key, value } of rows) store.put(value, ...(keyPath === null ? [key] : []));
    }
  });
  (await finish(request)).close();
}

function finish<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('database not read', { cause: request.error })));
  });
}
