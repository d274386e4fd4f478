/**
 * Replaces the device key and encrypts every row under the new one. A crash at any step leaves either all of the old
 * state or all of the new one (SPEC L5):
 *
 * 1. the file of the next key is written beside the present one,
 * 2. one transaction encrypts all rows again,
 * 3. the next file replaces the present one, and the next file is deleted.
 *
 * Each row names its key. So `settleKeyFile` can finish step 3, or undo step 1, without any secret.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { accountIn, type KeptRow, type KeyDb, openRow, sealRow } from '../account/key-db.ts';
import { type DeviceKey, readRawKey } from './device-key-file.ts';
import type { LockFiles } from './lock-files.ts';
import { decodeRecord } from './lock-record.ts';

interface Replacement {
  present: DeviceKey;
  next: DeviceKey;
  /** The content of the file: the key itself, or a lock record. */
  file: Uint8Array<ArrayBuffer>;
}

/** Call it under the account's exclusive lock, after `settleKeyFile`. */
export async function replaceDeviceKey(
  db: KeyDb,
  files: LockFiles,
  account: AccountId,
  { present, next, file }: Replacement,
): Promise<void> {
  await files.writeNext(account, file);
  const rows = await listRows(db, account);
  const fresh = await Promise.all(rows.map((row) => sealAgain(row, present, next)));
  await db.transaction('rw', db.kept, async () => {
    // A row that no key decrypts is useless under either key.
    await db.kept.bulkDelete(rows.map((row) => row.account));
    await db.kept.bulkPut(fresh.filter((row) => row !== undefined));
  });
  await files.takeNext(account);
}

/** Finishes or undoes a replacement that was interrupted. */
export async function settleKeyFile(db: KeyDb, files: LockFiles, account: AccountId): Promise<void> {
  const file = await files.readNext(account);
  if (file === undefined) return;
  const id = await idOfKeyFile(file);
  const isInForce = id !== undefined && (await listRows(db, account)).some((row) => row.keyId === id);
  await (isInForce ? files.takeNext(account) : files.dropNext(account));
}

/** The name of the key in this file, which may be wrapped. */
async function idOfKeyFile(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const record = decodeRecord(bytes);
  if (record === 'unreadable') return undefined;
  return record?.header.keyId ?? (await readRawKey(bytes)).id;
}

async function listRows(db: KeyDb, account: AccountId): Promise<KeptRow[]> {
  return db.kept.filter((row) => accountIn(row.account) === account).toArray();
}

async function sealAgain(row: KeptRow, present: DeviceKey, next: DeviceKey): Promise<KeptRow | undefined> {
  const secret = await openRow(row, present.key);
  return secret && sealRow(row.account, secret, next);
}
