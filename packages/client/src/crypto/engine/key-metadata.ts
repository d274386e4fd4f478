/**
 * Metadata of keys beside the engine's own store: this browser's device, its position in the to-device events, and the
 * device lists it knows. Values are parsed when read; an unreadable value counts as missing.
 */
import { AccountId, DeviceId } from '@dostar/protocol/ids';
import { ToDeviceToken } from '@dostar/protocol/realtime';
import { Dexie, type Table } from 'dexie';
import { z } from 'zod';
import type { ClientDeps } from '../../deps.ts';
import { VersionedDocument } from '../../trust/trust-document.ts';
import { TrustDecision } from '../../trust/trust-list.ts';

const KeyMetadata = {
  /** The device that owns this store, with the fingerprint it had when the store was made. */
  device: z.object({ id: DeviceId, fingerprint: z.string().optional() }),
  token: ToDeviceToken,
  /** The newest revision of the vault that this device has seen: an older one means that the server rolled back. */
  vaultRev: z.int().nonnegative(),
  /** The account key that opened the vault: under another key, after a fresh start, the vault starts over. */
  vaultKey: z.string(),
  /** The account key for which this browser made the vault: the account can't have an earlier trust list. */
  madeVaultKey: z.string(),
  /** The newest trust list that this browser has seen, and the account key that encrypted it. */
  trust: VersionedDocument.extend({ accountKey: z.string() }),
  /** Decisions of this browser that are not in the shared trust list yet. */
  trustPending: z.array(TrustDecision),
  /**
   * The newest trust list that a message of another browser named, and whether this browser has looked for it since.
   */
  trustFloor: z.object({ rev: z.int().nonnegative(), hash: z.string(), isChecked: z.boolean() }).optional(),
  /** Master keys of this account's own identities, from its vault. */
  ownMasters: z.array(z.string()),
  /** When this browser last read the queue of the dehydrated device; REPLACE_DEHYDRATED if it must be replaced. */
  dehydratedAt: z.int(),
  /** The version of the backup whose keys were all fetched. */
  restored: z.string(),
  /** When this browser last replaced a backup with forged entries. */
  forgedAt: z.int(),
  /** The engine's device list of a user contains former devices at the moment. */
  isRecalling: z.boolean(),
  /** The revisions of the device lists that the engine has. */
  revs: z.record(AccountId, z.int().nonnegative()),
};

/** Stored instead of the time of the last visit. */
export const REPLACE_DEHYDRATED = 0;

type KeyMetadataName = keyof typeof KeyMetadata;

const OF_ACCOUNT: KeyMetadataName[] = ['madeVaultKey', 'trust', 'trustPending', 'trustFloor', 'ownMasters'];
type KeyMetadataValue<Name extends KeyMetadataName> = z.output<(typeof KeyMetadata)[Name]>;

export interface KeyMetadataStore {
  get<Name extends KeyMetadataName>(name: Name): Promise<KeyMetadataValue<Name> | undefined>;
  put<Name extends KeyMetadataName>(name: Name, value: KeyMetadataValue<Name>): Promise<void>;
  /** Adds sessions that were restored from the account's own backup. */
  addRestored(rows: readonly RestoredSession[]): Promise<void>;
  findRestored(session: string): Promise<RestoredSession | undefined>;
  /** Adds the device, with the master keys of the identities that signed it. */
  addSigned(device: SignedDevice): Promise<void>;
  listSigned(): Promise<SignedDevice[]>;
  /** Deletes everything about the device, when another one replaces it. The account's trust decisions stay. */
  clear(): Promise<void>;
  close(): void;
}

export interface RestoredSession {
  session: string;
  /** The account that owns the session, if the device that backed it up knew it. */
  owner?: AccountId;
  /** The key of the device that made the session. */
  senderKey?: string;
}

/** A device that an identity has signed; `key` is its Curve25519 key. */
export interface SignedDevice {
  key: string;
  account: AccountId;
  /** The master keys of the identities that signed it, oldest first. */
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
      // The owner of a session never changes: an entry without an owner does not delete a known one.
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
