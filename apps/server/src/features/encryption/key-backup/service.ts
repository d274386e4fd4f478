/**
 * The key backup of an account. The server orders versions and keeps the better of two copies; it can't decrypt them.
 *
 * Promise: keys go into the current version only (SPEC K10), a repeat changes neither keys nor etag (SPEC K11), and
 * entries come back byte for byte as JSON, with whatever the client added (SPEC K12).
 */
import type * as contract from '@dostar/protocol/contract/key-backup';
import {
  MAX_BACKUP_KEYS,
  MAX_BACKUP_VERSIONS,
  MAX_KEYS_PER_ACCOUNT,
  MAX_KEYS_PER_VERSION,
} from '@dostar/protocol/contract/key-backup';
import type { BackupEntry, BackupRooms } from '@dostar/protocol/contract/key-backup';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { chatOf, roomOf } from '@dostar/protocol/matrix-ids';
import type { MatrixRoom } from '@dostar/protocol/matrix-ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { findRestriction, isRestricted } from '../../identity/recovery/service.ts';
import type { Caller } from '../../identity/sessions/service.ts';
import {
  reinstateVersion,
  addToCounts,
  countUsage,
  findVersion,
  insertVersion,
  archiveReplaced,
  listEntries,
  lockBackup,
  markDeleted,
  pickEntries,
  putEntries,
  retireVersion,
  setUntil,
} from './store.ts';
import type { BackupRow, BackupVersion } from './store.ts';

export { archiveBackups, restoreBackups, purgeBackupArchive } from './archive.ts';

type BackupInfo = z.output<(typeof contract.createBackup)['body']>;
type BackupState = z.input<(typeof contract.putBackupKeys)['reply']>;
type Page = z.output<(typeof contract.getBackupKeys)['body']>;
type PageReply = z.input<(typeof contract.getBackupKeys)['reply']>;

const MAX_AUTH_DATA_BYTES = 16 * 1024;
const MAX_ENTRY_BYTES = 8 * 1024;

export async function createBackup(ctx: Context, account: AccountId, info: BackupInfo): Promise<{ version: string }> {
  const { algorithm } = info;
  const authData = requireSmall(info.auth_data, MAX_AUTH_DATA_BYTES);
  const now = ctx.clock.now();
  const version = await withBackupLock(ctx, account, async (db) => {
    const { versions, retiredVersions } = await countUsage(db, account);
    const isFull = versions >= MAX_BACKUP_VERSIONS || versions + retiredVersions >= 2 * MAX_BACKUP_VERSIONS;
    if (isFull) throw new AppError('quota_exceeded');
    return insertVersion(db, account, { algorithm, authData, now });
  });
  return { version: String(version) };
}

/** By `write`, not `query`: a shard that gave the account away would report no backup, and the client would create another. */
export async function getBackup(ctx: Context, account: AccountId, version?: string) {
  const found = await ctx.shards.write(account, (db) =>
    findVersion(db, account, version === undefined ? undefined : Number(version)),
  );
  if (!found) throw new AppError('not_found');
  const { algorithm, authData } = found;
  return {
    algorithm,
    auth_data: JSON.parse(authData) as Record<string, unknown>,
    version: String(found.version),
    ...stateOf(found),
  };
}

export async function deleteBackup(
  ctx: Context,
  caller: Caller,
  { version, forGood = false }: z.output<(typeof contract.deleteBackup)['body']>,
): Promise<void> {
  const { account } = caller;
  await withBackupLock(ctx, account, async (db) => {
    await retire(ctx, db, caller, await requireVersion(db, account, version), forGood);
  });
}

/** Deletes newer versions, as `deleteBackup` does. */
export async function restoreBackup(ctx: Context, caller: Caller, version: string): Promise<void> {
  const { account } = caller;
  await withBackupLock(ctx, account, async (db) => {
    const { version: restored } = await requireVersion(db, account, version);
    await reinstateVersion(db, account, restored);
    for (;;) {
      const current = await findVersion(db, account);
      if (current === undefined || current.version <= restored) return;
      await retire(ctx, db, caller, current);
    }
  });
}

/**
 * A stolen session must not delete the history, so keys stay for 30 days. If a restricted session retires a version from
 * before the reset, the version is archived, and the owner's old password restores it.
 */
async function retire(ctx: Context, db: ShardDb, caller: Caller, found: BackupVersion, forGood = false): Promise<void> {
  const { account } = caller;
  const until = ctx.clock.now() + RECOVERY_RETENTION_MS;
  if (isRestricted(await findRestriction(db, caller), found.createdAt ?? 0))
    await setUntil(db, account, found.version, until);
  else if (found.count > 0 && !forGood) await retireVersion(db, account, found.version, until);
  else await markDeleted(db, account, found.version);
}

export async function putBackupKeys(
  ctx: Context,
  account: AccountId,
  version: string,
  rooms: BackupRooms,
): Promise<BackupState> {
  const entries = listRows(rooms);
  const until = ctx.clock.now() + RECOVERY_RETENTION_MS;
  return withBackupLock(ctx, account, async (db) => {
    const current = await requireCurrent(db, account, version);
    await archiveReplaced(db, account, current.version, entries, until);
    const { added, changed } = await putEntries(db, account, current.version, entries);
    if (added > 0) await requireQuota(db, account, current.count + added, added);
    if (changed === 0) return stateOf(current);
    return stateOf(await addToCounts(db, account, current.version, { etag: changed, count: added }));
  });
}

/** Limits the version and all versions together: an account that always creates new ones could fill a shard. */
async function requireQuota(db: ShardDb, account: AccountId, count: number, added: number): Promise<void> {
  const { keys, retiredKeys } = await countUsage(db, account);
  const isFull = keys + added > MAX_KEYS_PER_ACCOUNT || keys + retiredKeys + added > 2 * MAX_KEYS_PER_ACCOUNT;
  if (count > MAX_KEYS_PER_VERSION || isFull) throw new AppError('quota_exceeded');
}

function listRows(rooms: BackupRooms): BackupRow[] {
  const rows = (Object.entries(rooms) as [MatrixRoom, { sessions: Record<string, BackupEntry> }][]).flatMap(
    ([room, { sessions }]) =>
      Object.entries(sessions).map(([session, entry]) => ({
        room: chatOf(room),
        session,
        firstIndex: entry.first_message_index,
        forwarded: entry.forwarded_count,
        isVerified: entry.is_verified,
        entry: requireSmall(entry, MAX_ENTRY_BYTES),
      })),
  );
  if (rows.length > MAX_BACKUP_KEYS) throw new AppError('too_large');
  return rows;
}

export async function getBackupKeys(ctx: Context, account: AccountId, page: Page): Promise<PageReply> {
  const { version, room, session, names, limit } = page;
  const range = { version: Number(version), room: room && chatOf(room), session };
  const after = page.after && { room: chatOf(page.after.room), session: page.after.session };
  const rows = await ctx.shards.write(account, async (db) => {
    await requireVersion(db, account, version);
    if (names === undefined) return listEntries(db, account, range, { after, limit });
    const wanted = names.map((name) => ({ room: chatOf(name.room), session: name.session }));
    return pickEntries(db, account, range.version, wanted);
  });
  const rooms: PageReply['rooms'] = {};
  const replaced: NonNullable<PageReply['replaced']> = {};
  for (const row of rows) {
    const name = roomOf(row.room);
    (rooms[name] ??= { sessions: {} }).sessions[row.session] = JSON.parse(row.entry) as BackupEntry;
    if (row.replaced !== null)
      (replaced[name] ??= { sessions: {} }).sessions[row.session] = row.replaced.map(
        (copy) => JSON.parse(copy) as BackupEntry,
      );
  }
  const last = names === undefined && rows.length === limit ? rows.at(-1) : undefined;
  return {
    rooms,
    ...(Object.keys(replaced).length > 0 && { replaced }),
    ...(last && { next: { room: roomOf(last.room), session: last.session } }),
  };
}

async function requireVersion(db: ShardDb, account: AccountId, version: string): Promise<BackupVersion> {
  const found = await findVersion(db, account, Number(version));
  if (!found) throw new AppError('not_found');
  return found;
}

/** A device that has not seen a new version must not fill the old one, which is never restored. */
async function requireCurrent(db: ShardDb, account: AccountId, version: string): Promise<BackupVersion> {
  const current = await findVersion(db, account);
  if (!current) throw new AppError('not_found');
  if (String(current.version) !== version) {
    throw new AppError('wrong_backup_version', { current_version: String(current.version) });
  }
  return current;
}

function stateOf({ etag, count }: { etag: number; count: number }): BackupState {
  return { etag: String(etag), count };
}

function requireSmall(value: object, bytes: number): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > bytes) throw new AppError('too_large');
  return text;
}

/** Under the account's backup lock: two devices that upload at once count one after the other. */
async function withBackupLock<T>(ctx: Context, account: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.write(account, async (db) => {
    await lockBackup(db, account);
    return task(db);
  });
}
