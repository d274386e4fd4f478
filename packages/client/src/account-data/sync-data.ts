/**
 * Keeps account data the same on all devices of the account.
 *
 * Promise: a change on any device reaches the others; of two changes the later wins everywhere (SPEC A2). The server
 * keeps the last upload of a register, so a device that receives older items than its own uploads the register again.
 *
 * Elsewhere: what items there are (items.ts), how they are sealed (seal-data.ts).
 */
import { accountDataKey, putAccountData } from '@dostar/protocol/contract/account-data';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { Register } from '@dostar/protocol/mailbox';
import { liveQuery } from 'dexie';
import type { AtRest } from '../storage/at-rest.ts';
import type { Wakeup } from '../lib/wakeup.ts';
import { readDataKey, writeDataKey } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { DocRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { callEndpoint } from '../net/http.ts';
import { closeValue, isLater, openValue, touchDoc } from './items.ts';
import { type DataCipher, type Document, openDataCipher, type SealedItem } from './seal-data.ts';

/** While the user types, the draft is saved every second. */
const DEBOUNCE_MS = 1_000;
const RETRY_DELAY_MS = 15_000;
/** Overwrites a register with a value that no key decrypts. */
const BLANK = 'AA';

export interface DataDeps extends Pick<ClientDeps, 'baseUrl' | 'fetch' | 'clock' | 'log' | 'accountKey'> {
  atRest: AtRest;
}

export async function runDataSync(db: Db, deps: DataDeps, wakeup: Wakeup, signal: AbortSignal): Promise<void> {
  let isDirty = false;
  const query = liveQuery(async () => {
    await listIncoming(db);
    return db.docs.where('dirty').equals(1).count();
  }).subscribe((dirty) => {
    isDirty = dirty > 0;
    wakeup.trigger();
  });
  while (!signal.aborted) {
    const generation = wakeup.generation();
    let isDone = true;
    try {
      const accountKey = await deps.accountKey();
      if (accountKey !== undefined) isDone = await syncOnce(db, deps, await openDataCipher(accountKey), signal);
    } catch (error) {
      isDone = false;
      if (!signal.aborted) deps.log('account data not synced', { error });
    }
    await wakeup.wait(generation, isDone ? undefined : RETRY_DELAY_MS);
    if (isDirty) await deps.clock.sleep(DEBOUNCE_MS, signal);
  }
  query.unsubscribe();
}

/** Returns whether nothing is left to upload. */
async function syncOnce(db: Db, deps: DataDeps, seal: DataCipher, signal: AbortSignal): Promise<boolean> {
  await resetIfKeyChanged(db, seal);
  for (const register of await listIncoming(db)) await applyRegister(db, deps, seal, register);
  let isDone = true;
  for (const row of await db.docs.where('dirty').equals(1).toArray()) {
    isDone = (await uploadDoc(db, deps, seal, row, signal)) && isDone;
  }
  return isDone;
}

/** Uploads everything again under a new account key: new devices can't decrypt data under the former (SPEC A1). */
async function resetIfKeyChanged(db: Db, seal: DataCipher): Promise<void> {
  const name = await seal.nameOf('');
  await db.transaction('rw', [db.docs, db.meta], async () => {
    const before = await readDataKey(db);
    if (before === name) return;
    if (before !== undefined) await markAllUnsynced(db);
    await writeDataKey(db, name);
  });
}

/** Registers that have changed since this device applied them. */
async function listIncoming(db: Db): Promise<Register[]> {
  return db.transaction('r', [db.registers, db.docs], async () => {
    const registers = await db.registers.where('key').startsWith(accountDataKey('')).toArray();
    const docs = await db.docs
      .where('key')
      .anyOf(registers.map(({ key }) => key))
      .toArray();
    const seen = new Map(docs.map(({ key, rev }) => [key, rev]));
    return registers.filter(({ key, rev }) => seen.get(key) !== rev);
  });
}

async function applyRegister(db: Db, { atRest, log }: DataDeps, seal: DataCipher, register: Register): Promise<void> {
  const { key, rev, value = '' } = register;
  const document = await seal.open(nameIn(key), value);
  // Another account sealed it, or this account under a former key: the document is skipped and not tried again.
  if (document === undefined) log('account data refused', { rev });
  const doc = document?.doc ?? key;
  const theirs = Object.entries(document?.items ?? {});
  const values = await Promise.all(theirs.map(([item, { value: one }]) => closeValue(atRest, doc, item, one)));
  await db.transaction('rw', [db.items, db.docs], async () => {
    const row = await db.docs.get(doc);
    await db.docs.put({ ...row, doc, key, rev, version: row?.version ?? 0 });
    const ours = new Map((await db.items.where('doc').equals(doc).toArray()).map((one) => [one.item, one]));
    for (const [index, [item, { at, device }]] of theirs.entries()) {
      const mine = ours.get(item);
      const sealed = values[index];
      if (mine !== undefined && !isLater({ at, device }, mine)) continue;
      await db.items.put({ doc, item, at, device, ...(sealed !== undefined && { value: sealed }) });
    }
    const received = document?.items ?? {};
    if (document !== undefined && [...ours.values()].some((mine) => isNewer(mine, received[mine.item]))) {
      await touchDoc(db, doc);
    }
  });
}

function nameIn(key: string): string {
  return key.slice(accountDataKey('').length);
}

function isNewer(mine: Pick<SealedItem, 'at' | 'device'>, theirs: SealedItem | undefined): boolean {
  return theirs === undefined || isLater(mine, theirs);
}

/** Returns true once the server has stored the document or refused it permanently. */
async function uploadDoc(db: Db, deps: DataDeps, seal: DataCipher, row: DocRow, signal: AbortSignal): Promise<boolean> {
  const sealed = await seal.seal(await readDocument(db, deps.atRest, row.doc));
  try {
    if (sealed !== undefined) {
      await callEndpoint(deps, putAccountData, sealed, signal);
      // Content under a former account key can be read by an attacker with that key.
      const former = row.key === undefined || row.key === accountDataKey(sealed.name) ? undefined : row.key;
      if (former !== undefined)
        await callEndpoint(deps, putAccountData, { name: nameIn(former), value: BLANK }, signal);
    } else deps.log('account data too large', { doc: row.version });
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'internal';
    deps.log('account data not uploaded', { code });
    if (ERRORS[code].retry !== 'never') return false;
  }
  await db.transaction('rw', [db.docs], async () => {
    const now = await db.docs.get(row.doc);
    if (now === undefined) return;
    const uploaded = { ...now, ...(sealed !== undefined && { key: accountDataKey(sealed.name) }) };
    if (now.version === row.version) delete uploaded.dirty;
    await db.docs.put(uploaded);
  });
  return true;
}

async function readDocument(db: Db, atRest: AtRest, doc: string): Promise<Document> {
  const rows = await db.items.where('doc').equals(doc).toArray();
  const items: Document['items'] = {};
  for (const row of rows) {
    const value = await openValue(atRest, row);
    items[row.item] = { at: row.at, device: row.device, ...(value !== undefined && { value }) };
  }
  return { doc, items };
}

/** The server's registers are not the ones this device has read: everything is uploaded again (SPEC C3). */
export async function markAllUnsynced(db: Db): Promise<void> {
  await db.docs.toCollection().modify((row) => {
    delete row.rev;
    row.dirty = 1;
  });
}
