/**
 * What this browser remembers about its keys beside the engine's own store: which device it is, how far it has heard
 * others, and which device lists it knows. Parsed when read back; what can't be read counts as not known.
 */
import { AccountId, DeviceId } from '@dostar/protocol/ids';
import { ToDeviceToken } from '@dostar/protocol/realtime';
import { Dexie, type Table } from 'dexie';
import { z } from 'zod';
import type { ClientDeps } from '../../deps.ts';
import { VersionedDocument } from '../../trust/trust-document.ts';
import { TrustDecision } from '../../trust/trust-list.ts';

const KeyMetadata = {
  /** The device whose store this is, with the key it had when the store was made. */
  device: z.object({ id: DeviceId, fingerprint: z.string().optional() }),
  token: ToDeviceToken,
  /** The newest vault this device has seen: an older one is a server that rolls back. */
  vaultRev: z.int().nonnegative(),
  /** Which account key opened it: under another one, after a fresh start, the vault starts over. */
  vaultKey: z.string(),
  /** The account key for which this browser made the vault: no earlier trust list can lie there. */
  madeVaultKey: z.string(),
  /** The newest trust list this browser has seen, and the account key it lay under. */
  trust: VersionedDocument.extend({ accountKey: z.string() }),
  /** Decided here and not told to the other browsers yet. */
  trustPending: z.array(TrustDecision),
  /** The newest trust list that a message of another browser named, and whether this one has looked for it since. */
  trustFloor: z.object({ rev: z.int().nonnegative(), hash: z.string(), isChecked: z.boolean() }).optional(),
  /** Master keys of this account's own identities, as its vault named them. */
  ownMasters: z.array(z.string()),
  /** When this browser last read what waits for the dehydrated device; REPLACE_DEHYDRATED if it must be replaced. */
  dehydratedAt: z.int(),
  /** The backup whose every key has been fetched. */
  restored: z.string(),
  /** When this browser last replaced a backup that has forged entries. */
  forgedAt: z.int(),
  /** The engine's device list of a user has former ones in it. */
  isRecalling: z.boolean(),
  /** Revisions of device lists, as the engine knows them. */
  revs: z.record(AccountId, z.int().nonnegative()),
};

/** In the place of the time of the last visit. */
export const REPLACE_DEHYDRATED = 0;

type KeyMetadataName = keyof typeof KeyMetadata;

const OF_ACCOUNT: KeyMetadataName[] = ['madeVaultKey', 'trust', 'trustPending', 'trustFloor', 'ownMasters'];
type KeyMetadataValue<Name extends KeyMetadataName> = z.output<(typeof KeyMetadata)[Name]>;

export interface KeyMetadataStore {
  get<Name extends KeyMetadataName>(name: Name): Promise<KeyMetadataValue<Name> | undefined>;
  put<Name extends KeyMetadataName>(name: Name, value: KeyMetadataValue<Name>): Promise<void>;
  /** Sessions out of the account's own backup. */
  addRestored(rows: readonly RestoredSession[]): Promise<void>;
  findRestored(session: string): Promise<RestoredSession | undefined>;
  /** Adds the master keys that have signed this device of the account. */
  addSigned(device: SignedDevice): Promise<void>;
  listSigned(): Promise<SignedDevice[]>;
  /** Everything of the device, when it is another one. What the account trusts stays. */
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

/** A device that an identity has signed, by its Curve25519 key. */
export interface SignedDevice {
  key: string;
  account: AccountId;
  /** The master keys of the identities that did, oldest first. */
  masters: string[];
}

type KeyMetadataDb = Dexie & {
  facts: Table<{ name: KeyMetadataName; value: unknown }, KeyMetadataName>;
  restored: Table<RestoredSession, string>;
  signed: Table<SignedDevice, string>;
};

function keyMetadataDbName(account: AccountId): string {
  return `dostar/crypto/${account}`;
}

export function openKeyMetadata({
  account,
  indexedDB,
  IDBKeyRange,
}: Pick<ClientDeps, 'account' | 'indexedDB' | 'IDBKeyRange'>): KeyMetadataStore {
  const db = new Dexie(keyMetadataDbName(account), { indexedDB, IDBKeyRange, cache: 'disabled' }) as KeyMetadataDb;
  db.version(1).stores({ facts: 'name', restored: 'session' });
  db.version(2).stores({ signed: 'key' });
  return {
    async get(name) {
      const row = await db.facts.get(name);
      return KeyMetadata[name].safeParse(row?.value).data as KeyMetadataValue<typeof name> | undefined;
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
    async addSigned({ key, account: owner, masters }) {
      const before = await db.signed.get(key);
      await db.signed.put({ key, account: owner, masters: [...new Set([...(before?.masters ?? []), ...masters])] });
    },
    listSigned: () => db.signed.toArray(),
    async clear() {
      await Promise.all([db.facts.where('name').noneOf(OF_ACCOUNT).delete(), db.restored.clear()]);
    },
    close: () => db.close(),
  };
}
