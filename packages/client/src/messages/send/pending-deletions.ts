/**
 * Messages that were deleted while they were being sent. If the server had stored such a message already, its copy
 * arrives with the next sync and is deleted then. Otherwise no copy arrives.
 */
import { createWakeup } from '../../lib/wakeup.ts';
import { readPendingDeletions, type PendingDeletion, writePendingDeletions } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import type { ClientDeps } from '../../deps.ts';
import { runOnChange } from '../../lib/run-on-change.ts';
import { deleteForMe, retractMessage } from '../maintenance/erase.ts';
import type { SendDeps } from './send.ts';

export async function runPendingDeletions(db: Db, deps: SendDeps, signal: AbortSignal): Promise<void> {
  const watch = (): Promise<PendingDeletion[]> => listReturned(db, deps);
  async function run(): Promise<void> {
    for (const one of await listReturned(db, deps)) await deleteReturned(db, deps, one);
  }
  await runOnChange(deps, { name: 'unwanted messages', watch, run }, createWakeup(deps.clock, signal), signal);
}

async function listReturned(db: Db, { account }: Pick<ClientDeps, 'account'>): Promise<PendingDeletion[]> {
  const pendingDeletions = await readPendingDeletions(db);
  if (pendingDeletions.length === 0) return [];
  const rows = await db.messages.bulkGet(pendingDeletions.map(({ id }): [typeof account, typeof id] => [account, id]));
  return pendingDeletions.filter((_, index) => rows[index]?.status === 'sent');
}

async function deleteReturned(db: Db, deps: SendDeps, { id, everywhere }: PendingDeletion): Promise<void> {
  const target = { sender: deps.account, id };
  await (everywhere === undefined ? deleteForMe(db, deps, target) : retractMessage(db, deps, target, everywhere));
  await db.transaction('rw', [db.meta], async () => {
    await writePendingDeletions(
      db,
      (await readPendingDeletions(db)).filter((one) => one.id !== id),
    );
  });
}
