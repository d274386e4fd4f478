/**
 * Erasures that other browsers of this account have requested. They are stored as they arrive, and executed once their
 * proof has been checked: the server alone can't remove a message from this device.
 */
import { queueBlobCleanup } from '../../attachments/blob-cleanup.ts';
import { createWakeup } from '../../lib/wakeup.ts';
import type { KeyRing } from '../../crypto/key-ring.ts';
import type { Db } from '../../storage/open.ts';
import { type ErasureRow, splitKey } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { runOnChange } from '../../lib/run-on-change.ts';
import { eraseRow } from '../maintenance/erase-row.ts';
import { messageTables, refreshChats } from '../store.ts';

const BATCH = 100;

interface ErasureDeps extends Pick<ClientDeps, 'account' | 'clock' | 'log'> {
  keyRing: Pick<KeyRing, 'isErasureGenuine' | 'onKeys'>;
}

export async function runErasures(db: Db, deps: ErasureDeps, signal: AbortSignal): Promise<void> {
  const wakeup = createWakeup(deps.clock, signal);
  // A locked device can't check proofs: its keys arrive when it is unlocked.
  const stopKeys = deps.keyRing.onKeys(wakeup.trigger);
  async function run(): Promise<void> {
    for (let isDone = false; !isDone && !signal.aborted;) isDone = await applyErasures(db, deps);
  }
  await runOnChange(deps, { name: 'erasures', watch: () => db.erasures.count(), run }, wakeup, signal);
  stopKeys();
}

/** Returns whether none is left. */
async function applyErasures(db: Db, { account, keyRing, log }: ErasureDeps): Promise<boolean> {
  const rows = await db.erasures.limit(BATCH).toArray();
  const genuine: ErasureRow[] = [];
  for (const row of rows) {
    const [sender, id] = splitKey(row.target);
    const isGenuine =
      row.proof !== undefined && (await keyRing.isErasureGenuine({ chat: row.chat, sender, id }, row.proof));
    if (isGenuine) genuine.push(row);
    else log('erasure not genuine');
  }
  await db.transaction('rw', messageTables(db), async () => {
    for (const { target } of genuine) {
      const row = await db.messages.get(splitKey(target));
      if (row === undefined) continue;
      await queueBlobCleanup(db, row);
      await db.messages.put(eraseRow({ ...row, isHidden: true }));
    }
    await db.erasures.bulkDelete(rows.map(({ target }) => target));
    await refreshChats(db, account, new Map(genuine.map(({ chat }) => [chat, undefined])));
  });
  return rows.length < BATCH;
}
