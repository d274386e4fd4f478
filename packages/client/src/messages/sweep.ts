/**
 * Takes away what has had its time (SPEC E7): here, and from this account's mailbox on the server. The other side does
 * the same by its own clock.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { createBell } from '../bell.ts';
import type { Db } from '../db/open.ts';
import { messageKey, type MessageRow } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { eraseHere } from './erase.ts';
import { removeWaiting } from './send.ts';
import { mailTables, refreshChats } from './store.ts';

const BATCH = 100;

type SweepDeps = Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log'>;

export async function runSweeper(db: Db, deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const bell = createBell(deps.clock, signal);
  const query = liveQuery(() => db.messages.orderBy('expiresAt').first()).subscribe(bell.ring);
  while (!signal.aborted) {
    const rings = bell.rings();
    const next = await sweep(db, deps).catch((error: unknown) => {
      if (!signal.aborted) deps.log('sweep failed', { error });
      return undefined;
    });
    await bell.wait(rings, next === undefined ? undefined : Math.max(0, next - deps.clock.now()));
  }
  query.unsubscribe();
}

/** When the next is due. */
async function sweep(db: Db, deps: SweepDeps): Promise<number | undefined> {
  return db.transaction('rw', mailTables(db), async () => {
    const now = deps.clock.now();
    const due = await db.messages.where('expiresAt').belowOrEqual(now).limit(BATCH).toArray();
    for (const row of due) await expire(db, deps, row);
    await refreshChats(
      db,
      deps.account,
      new Map(due.map(({ chat }): [typeof chat, AccountId | undefined] => [chat, undefined])),
    );
    return (await db.messages.orderBy('expiresAt').first())?.expiresAt;
  });
}

/** With everything that was said about it. */
async function expire(db: Db, deps: SweepDeps, row: MessageRow): Promise<void> {
  const remarks = await db.messages.where('target').equals(messageKey(row)).toArray();
  await eraseHere(db, deps, { ...row, isHidden: true }, undefined);
  for (const remark of remarks) {
    // If it has left already it comes back, and is erased then.
    if (remark.status === 'sent') await eraseHere(db, deps, remark, undefined);
    else await removeWaiting(db, remark);
  }
}
