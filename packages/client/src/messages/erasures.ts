/**
 * Erasures that other browsers of this account have asked for. Stored as they come and carried out once their proof has
 * been checked: what the server says alone takes nothing away that a person has seen.
 */
import { liveQuery } from 'dexie';
import { noteDrops } from '../attachments/drops.ts';
import type { Bell } from '../bell.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { Db } from '../db/open.ts';
import { type ErasureRow, splitKey } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { eraseRow } from './erase-row.ts';
import { mailTables, refreshChats } from './store.ts';

const BATCH = 100;
const TRY_AGAIN_MS = 2_000;

interface ErasureDeps extends Pick<ClientDeps, 'account' | 'log'> {
  ring: Pick<KeyRing, 'isErasureGenuine' | 'onKeys'>;
}

export async function runErasures(db: Db, deps: ErasureDeps, bell: Bell, signal: AbortSignal): Promise<void> {
  const waiting = liveQuery(() => db.erasures.count()).subscribe(bell.ring);
  // A locked device can't check any.
  const stopKeys = deps.ring.onKeys(bell.ring);
  while (!signal.aborted) {
    const rings = bell.rings();
    const isDone = await carryOut(db, deps).catch((error: unknown) => {
      if (!signal.aborted) deps.log('erasures not carried out', { error });
      return undefined;
    });
    if (isDone !== false) await bell.wait(rings, isDone === undefined ? TRY_AGAIN_MS : undefined);
  }
  stopKeys();
  waiting.unsubscribe();
}

/** Whether none is left. */
async function carryOut(db: Db, { account, ring, log }: ErasureDeps): Promise<boolean> {
  const rows = await db.erasures.limit(BATCH).toArray();
  const genuine: ErasureRow[] = [];
  for (const row of rows) {
    const [sender, id] = splitKey(row.target);
    const isGenuine =
      row.proof !== undefined && (await ring.isErasureGenuine({ chat: row.chat, sender, id }, row.proof));
    if (isGenuine) genuine.push(row);
    else log('erasure not genuine');
  }
  await db.transaction('rw', mailTables(db), async () => {
    for (const { target } of genuine) {
      const row = await db.messages.get(splitKey(target));
      if (row === undefined) continue;
      await noteDrops(db, row);
      await db.messages.put(eraseRow({ ...row, isHidden: true }));
    }
    await db.erasures.bulkDelete(rows.map(({ target }) => target));
    await refreshChats(db, account, new Map(genuine.map(({ chat }) => [chat, undefined])));
  });
  return rows.length < BATCH;
}
