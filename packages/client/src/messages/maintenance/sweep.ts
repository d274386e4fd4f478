/**
 * Takes away what has had its time (SPEC E7): here, and from this account's mailbox on the server. The other side does
 * the same by its own clock.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { createBell } from '../../lib/wakeup.ts';
import type { Db } from '../../storage/open.ts';
import { withRoom } from '../../storage/quota.ts';
import type { ClientDeps } from '../../deps.ts';
import { eraseWithRemarks } from './erase.ts';
import { mailTables, refreshChats } from '../store.ts';

const BATCH = 100;
/** The disk refused: nothing else would wake the loop, and what is due would lie here for days. */
const TRY_AGAIN_MS = 10_000;

type SweepDeps = Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log' | 'freeMedia'>;

export async function runSweeper(db: Db, deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const bell = createBell(deps.clock, signal);
  const query = liveQuery(() => db.messages.orderBy('expiresAt').first()).subscribe({
    next: bell.ring,
    error: (error: unknown) => deps.log('timers not watched', { error }),
  });
  while (!signal.aborted) {
    const rings = bell.rings();
    let waitMs: number | undefined = TRY_AGAIN_MS;
    try {
      const next = await withRoom(db, deps, () => sweep(db, deps));
      waitMs = next === undefined ? undefined : Math.max(0, next - deps.clock.now());
    } catch (error) {
      if (!signal.aborted) deps.log('sweep failed', { error });
    }
    await bell.wait(rings, waitMs);
  }
  query.unsubscribe();
}

/** When the next is due. */
async function sweep(db: Db, deps: SweepDeps): Promise<number | undefined> {
  return db.transaction('rw', mailTables(db), async () => {
    const now = deps.clock.now();
    const due = await db.messages.where('expiresAt').belowOrEqual(now).limit(BATCH).toArray();
    const hidden = due.map((row) => ({ ...row, isHidden: true }));
    await eraseWithRemarks(db, deps, hidden);
    await refreshChats(
      db,
      deps.account,
      new Map(due.map(({ chat }): [typeof chat, AccountId | undefined] => [chat, undefined])),
    );
    return (await db.messages.orderBy('expiresAt').first())?.expiresAt;
  });
}
