/**
 * Deletes expired messages (SPEC E7): on this device, and from this account's mailbox on the server. The other side
 * does the same, by its own clock.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { createWakeup } from '../../lib/wakeup.ts';
import type { Db } from '../../storage/open.ts';
import { withQuotaRetry } from '../../storage/quota.ts';
import type { ClientDeps } from '../../deps.ts';
import { eraseWithAnnotations } from './erase.ts';
import { messageTables, refreshChats } from '../store.ts';

const BATCH = 100;
/** Retry after a failed write: no other event would wake the loop, and due messages could stay for days. */
const RETRY_DELAY_MS = 10_000;

type ExpiryDeps = Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log' | 'freeMedia'>;

export async function runMessageExpiry(db: Db, deps: ExpiryDeps, signal: AbortSignal): Promise<void> {
  const wakeup = createWakeup(deps.clock, signal);
  const query = liveQuery(() => db.messages.orderBy('expiresAt').first()).subscribe({
    next: wakeup.trigger,
    error: (error: unknown) => deps.log('timers not watched', { error }),
  });
  while (!signal.aborted) {
    const generation = wakeup.generation();
    let waitMs: number | undefined = RETRY_DELAY_MS;
    try {
      const next = await withQuotaRetry(db, deps, () => eraseExpired(db, deps));
      waitMs = next === undefined ? undefined : Math.max(0, next - deps.clock.now());
    } catch (error) {
      if (!signal.aborted) deps.log('sweep failed', { error });
    }
    await wakeup.wait(generation, waitMs);
  }
  query.unsubscribe();
}

/** Returns when the next message expires. */
async function eraseExpired(db: Db, deps: ExpiryDeps): Promise<number | undefined> {
  return db.transaction('rw', messageTables(db), async () => {
    const now = deps.clock.now();
    const due = await db.messages.where('expiresAt').belowOrEqual(now).limit(BATCH).toArray();
    const hidden = due.map((row) => ({ ...row, isHidden: true }));
    await eraseWithAnnotations(db, deps, hidden);
    await refreshChats(
      db,
      deps.account,
      new Map(due.map(({ chat }): [typeof chat, AccountId | undefined] => [chat, undefined])),
    );
    return (await db.messages.orderBy('expiresAt').first())?.expiresAt;
  });
}
