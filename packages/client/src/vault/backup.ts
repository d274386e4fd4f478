/**
 * The key backup: the keys of this account's messages, stored on the server for its next browser. Encrypted for one key
 * of the vault and authenticated by another (backup-mac.ts).
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import { AccountId, type ChatId } from '@dostar/protocol/ids';
import { chatOf, MatrixRoom, roomOf } from '@dostar/protocol/matrix-ids';
import { z } from 'zod';
import { fromBase64 } from '../crypto/base64.ts';
import type { Call } from '../net/call.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import type { KeyMetadataStore, RestoredSession } from '../crypto/engine/key-metadata.ts';
import type { ClientDeps } from '../deps.ts';
import { type BackupMac, createBackupMac } from './backup-mac.ts';
import type { Secrets } from './secrets.ts';

/** Entries per page of a full fetch: few enough that a send does not wait behind one page for long. */
const PAGE = 200;

interface ReadingDeps extends Pick<ClientDeps, 'log'> {
  keyMetadata: Pick<KeyMetadataStore, 'addRestored' | 'findRestored'>;
  engine: Engine;
  call: Call;
}

export interface BackupDeps extends ReadingDeps {
  /** The account whose device has this key, as far as this device knows. */
  ownerOf(senderKey: string): Promise<AccountId | undefined>;
  secrets: Secrets;
}

interface SessionName {
  chat: ChatId;
  session: string;
}

/** A read-only backup. */
interface ReadBackup {
  /** Fetches these sessions. Returns those that the backup had and that reach further back than this device's keys. */
  fetchNamed(names: SessionName[]): Promise<Set<string>>;
  /** Fetches everything, page by page. Returns false if the signal was aborted before the end. */
  fetchAll(signal: AbortSignal): Promise<boolean>;
  /** How many entries were dropped because this account did not put them there. */
  countForged(): number;
}

export interface Backup extends ReadBackup {
  version: string;
  /** Uploads the keys that the server lacks. Throws `wrong_backup_version` if another backup is in use. */
  upload(): Promise<void>;
}

/** Opens the backup in use. */
export async function openBackup(deps: BackupDeps): Promise<Backup> {
  const { engine, call, secrets } = deps;
  const { machine, library } = engine;
  const { key, backup_version: version } = secrets.bundle.backup;
  using decryption = library.BackupDecryptionKey.fromBase64(key);
  using publicKey = decryption.megolmV1PublicKey;
  await machine.saveBackupDecryptionKey(decryption, version);
  await machine.enableBackupV1(publicKey.publicKeyBase64, version);
  const mac = await createBackupMac(fromBase64(secrets.backupMac));

  return {
    ...(await readBackup(deps, { version, key, mac: secrets.backupMac })),
    version,
    async upload() {
      for (let request = await machine.backupRoomKeys(); request; request = await machine.backupRoomKeys()) {
        const rooms = await authenticate(deps, request.body, mac);
        const reply = await call(contract.putBackupKeys, { version: request.version, rooms });
        await machine.markRequestAsSent(request.id, request.type, JSON.stringify(reply));
      }
    },
  };
}

type Page = z.output<typeof contract.getBackupKeys.reply>;

interface BackupKeys {
  version: string;
  key: string;
  mac: string;
}

/** Imports its keys into the engine, which then counts them as backed up. */
export async function readBackup(deps: ReadingDeps, { version, key, mac: macKey }: BackupKeys): Promise<ReadBackup> {
  const { engine, call, keyMetadata, log } = deps;
  const mac = await createBackupMac(fromBase64(macKey));
  let forged = 0;

  /**
   * Imports replaced copies too: a session without this backup's keys can put a forged entry in place of a genuine one.
   */
  async function importPage({ rooms, replaced = {} }: Pick<Page, 'rooms' | 'replaced'>): Promise<Set<string>> {
    const taken = await take(rooms, 'current');
    for (const copies of listCopies(replaced)) for (const session of await take(copies, 'replaced')) taken.add(session);
    return taken;
  }

  async function take(rooms: contract.BackupRooms, kind: 'current' | 'replaced'): Promise<Set<string>> {
    const genuine = await dropForged(rooms, mac);
    const dropped = countSessions(rooms) - countSessions(genuine);
    if (dropped > 0 && kind === 'current') {
      forged += dropped;
      log('backup entries not genuine', { dropped });
    }
    const opened = await openEntries(engine, key, genuine);
    await keyMetadata.addRestored(listRestored(genuine, opened));
    return importRooms(engine, version, opened);
  }

  return {
    async fetchNamed(named) {
      const names = named.map(({ chat, session }) => ({ room: roomOf(chat), session }));
      return importPage(await call(contract.getBackupKeys, { version, names }).catch(emptyIfMissing));
    },
    async fetchAll(signal) {
      let after: Page['next'];
      do {
        if (signal.aborted) return false;
        const page = await call(contract.getBackupKeys, { version, limit: PAGE, ...(after && { after }) });
        await importPage(page);
        after = page.next;
      } while (after !== undefined);
      return true;
    },
    countForged: () => forged,
  };
}

/** A backup that was just replaced has none of the keys, which is not a failure. */
function emptyIfMissing(error: unknown): { rooms: contract.BackupRooms } {
  if (error instanceof AppError && error.code === 'not_found') return { rooms: {} };
  throw error;
}

const SessionData = z.object({ ephemeral: z.string(), ciphertext: z.string(), mac: z.string() });
const Authenticated = contract.BackupEntry.extend({
  session_data: SessionData,
  owner: AccountId.optional(),
  mac2: z.string(),
});
const Session = z.object({ sender_key: z.string() });

async function authenticate({ engine, secrets, keyMetadata, ownerOf }: BackupDeps, body: string, mac: BackupMac) {
  using key = engine.library.BackupDecryptionKey.fromBase64(secrets.bundle.backup.key);
  const { rooms } = z.object({ rooms: contract.BackupRooms }).parse(JSON.parse(body));
  return await mapSessions(rooms, async (chat, session, entry) => {
    const data = SessionData.parse(entry.session_data);
    const opened = Session.parse(JSON.parse(key.decryptV1(data.ephemeral, data.mac, data.ciphertext)));
    // If the session came from a backup, the entry there may be the only source of its owner.
    const owner = (await ownerOf(opened.sender_key)) ?? (await keyMetadata.findRestored(session))?.owner;
    const mac2 = await mac.sign({ chat, session, owner, data });
    return { ...entry, ...(owner !== undefined && { owner }), mac2 };
  });
}

async function dropForged(rooms: contract.BackupRooms, mac: BackupMac): Promise<contract.BackupRooms> {
  return mapSessions(rooms, async (chat, session, entry) => {
    const { data } = Authenticated.safeParse(entry);
    if (data === undefined) return undefined;
    const { owner, session_data: sessionData, mac2 } = data;
    return (await mac.verify({ chat, session, owner, data: sessionData }, mac2)) ? entry : undefined;
  });
}

async function openEntries({ library }: Engine, ownKey: string, rooms: contract.BackupRooms) {
  using key = library.BackupDecryptionKey.fromBase64(ownKey);
  return await mapSessions(rooms, async (_chat, _session, entry) => {
    const { ephemeral, mac, ciphertext } = SessionData.parse(entry.session_data);
    try {
      return JSON.parse(key.decryptV1(ephemeral, mac, ciphertext)) as contract.BackupEntry;
    } catch {
      // Encrypted for another key: its author did not have this backup's key.
      return undefined;
    }
  });
}

async function importRooms(
  { machine, library }: Engine,
  version: string,
  opened: contract.BackupRooms,
): Promise<Set<string>> {
  const map = new Map(
    Object.entries(opened).map(([room, { sessions }]) => [new library.RoomId(room), new Map(Object.entries(sessions))]),
  );
  if (map.size === 0) return new Set();
  using result = await machine.importBackedUpRoomKeys(map, () => {}, version);
  return new Set([...result.keys().values()].flatMap((keys) => [...keys.values()].flatMap((ids) => [...ids])));
}

function listRestored(rooms: contract.BackupRooms, opened: contract.BackupRooms): RestoredSession[] {
  return Object.entries(rooms).flatMap(([room, { sessions }]) =>
    Object.entries(sessions).map(([session, entry]) => {
      const owner = AccountId.safeParse(entry['owner']).data;
      const senderKey = Session.safeParse(opened[MatrixRoom.parse(room)]?.sessions[session]).data?.sender_key;
      return { session, ...(owner !== undefined && { owner }), ...(senderKey !== undefined && { senderKey }) };
    }),
  );
}

/** One list of rooms for each generation of replaced copies, newest first. */
function listCopies(replaced: NonNullable<Page['replaced']>): contract.BackupRooms[] {
  const generations: contract.BackupRooms[] = [];
  for (const [name, { sessions }] of Object.entries(replaced)) {
    for (const [session, copies] of Object.entries(sessions)) {
      for (const [n, copy] of copies.entries()) {
        const rooms = (generations[n] ??= {});
        (rooms[MatrixRoom.parse(name)] ??= { sessions: {} }).sessions[session] = copy;
      }
    }
  }
  return generations;
}

type Change = (chat: ChatId, session: string, entry: contract.BackupEntry) => Promise<contract.BackupEntry | undefined>;

/** Drops entries that `change` makes undefined, and rooms that become empty. */
async function mapSessions(rooms: contract.BackupRooms, change: Change): Promise<contract.BackupRooms> {
  const result: contract.BackupRooms = {};
  for (const [name, { sessions }] of Object.entries(rooms)) {
    const room = MatrixRoom.parse(name);
    const kept: Record<string, contract.BackupEntry> = {};
    for (const [session, entry] of Object.entries(sessions)) {
      const changed = await change(chatOf(room), session, entry);
      if (changed !== undefined) kept[session] = changed;
    }
    if (Object.keys(kept).length > 0) result[room] = { sessions: kept };
  }
  return result;
}

function countSessions(rooms: contract.BackupRooms): number {
  return Object.values(rooms).reduce((sum, { sessions }) => sum + Object.keys(sessions).length, 0);
}
