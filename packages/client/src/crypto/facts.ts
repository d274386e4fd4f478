/**
 * What this browser remembers about its keys beside the engine's own store: which device it is, how far it has heard
 * others, and which device lists it knows. Parsed when read back; what can't be read counts as not known.
 */
import { AccountId, DeviceId } from '@dostar/protocol/ids';
import { ToDeviceToken } from '@dostar/protocol/realtime';
import { Dexie, type Table } from 'dexie';
import { z } from 'zod';
import type { ClientDeps } from '../deps.ts';

const Facts = {
  /** The device whose store this is, with the key it had when the store was made. */
  device: z.object({ id: DeviceId, fingerprint: z.string().optional() }),
  token: ToDeviceToken,
  /** The newest vault this device has seen: an older one is a server that rolls back. */
  vaultRev: z.int().nonnegative(),
  /** Which account key opened it: under another one, after a fresh start, the vault begins anew. */
  vaultKey: z.string(),
  /** When the device that waits on the server was last renewed. */
  dehydratedAt: z.int(),
  /** The backup whose every key has been fetched. */
  restored: z.string(),
  /** The engine's list of somebody's devices has former ones in it. */
  isRecalling: z.boolean(),
  /** Revisions of device lists, as the engine knows them. */
  revs: z.record(AccountId, z.int().nonnegative()),
};

type FactName = keyof typeof Facts;
type Fact<Name extends FactName> = z.output<(typeof Facts)[Name]>;

export interface FactStore {
  get<Name extends FactName>(name: Name): Promise<Fact<Name> | undefined>;
  put<Name extends FactName>(name: Name, value: Fact<Name>): Promise<void>;
  /** Sessions out of the account's own backup. */
  addRestored(rows: readonly RestoredSession[]): Promise<void>;
  findRestored(session: string): Promise<RestoredSession | undefined>;
  /** Everything, when the device is another one. */
  clear(): Promise<void>;
  close(): void;
}

export interface RestoredSession {
  session: string;
  /** Whose it is, as the device knew that put it there. */
  owner?: AccountId;
  /** Of the device that made it. */
  senderKey?: string;
}

type FactDb = Dexie & {
  facts: Table<{ name: FactName; value: unknown }, FactName>;
  restored: Table<RestoredSession, string>;
};

function factsName(account: AccountId): string {
  return `dostar/crypto/${account}`;
}

export function openFacts({
  account,
  indexedDB,
  IDBKeyRange,
}: Pick<ClientDeps, 'account' | 'indexedDB' | 'IDBKeyRange'>): FactStore {
  const db = new Dexie(factsName(account), { indexedDB, IDBKeyRange, cache: 'disabled' }) as FactDb;
  db.version(1).stores({ facts: 'name', restored: 'session' });
  return {
    async get(name) {
      const row = await db.facts.get(name);
      return Facts[name].safeParse(row?.value).data as Fact<typeof name> | undefined;
    },
    async put(name, value) {
      await db.facts.put({ name, value });
    },
    async addRestored(rows) {
      const before = await db.restored.bulkGet(rows.map(({ session }) => session));
      // Whose a session is never changes: a device that did not know it takes nothing away.
      await db.restored.bulkPut(rows.map((row, index) => ({ ...before[index], ...row })));
    },
    findRestored: (session) => db.restored.get(session),
    async clear() {
      await Promise.all([db.facts.clear(), db.restored.clear()]);
    },
    close: () => db.close(),
  };
}
