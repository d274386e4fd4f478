/**
 * Files that no message of this account names any more are dropped on the server, which collects a blob with its last
 * reference (SPEC F4). Every device that takes a message away notes its files; to drop one twice changes nothing.
 */
import { dropBlob } from '@dostar/protocol/contract/blobs';
import { liveQuery } from 'dexie';
import { backoffMs } from '../backoff.ts';
import { type Bell, createBell } from '../bell.ts';
import { readStanding } from '../db/meta.ts';
import type { Db } from '../db/open.ts';
import type { DropRow, MessageRow } from '../db/rows.ts';
import { type ClientDeps, randomFraction } from '../deps.ts';
import { todoOf } from '../messages/store.ts';
import { callEndpoint } from '../net/http.ts';

const RETRY = { firstMs: 1_000, capMs: 300_000 };

/** In the transaction that takes the message away. */
export async function noteDrops(db: Db, { blobs = [] }: Pick<MessageRow, 'blobs'>): Promise<void> {
  if (blobs.length > 0) await db.drops.bulkPut(blobs.map((blob) => ({ blob })));
}

export async function runDrops(db: Db, deps: ClientDeps, nudged: Bell, signal: AbortSignal): Promise<void> {
  const bell = createBell(deps.clock, signal);
  const due = liveQuery(() => nextDrop(db)).subscribe({
    next: bell.ring,
    error: (error: unknown) => deps.log('drops not watched', { error }),
  });
  let failures = 0;
  while (!signal.aborted) {
    const heard = bell.rings();
    const nudges = nudged.rings();
    try {
      const drop = await nextDrop(db);
      if (drop === undefined) {
        await bell.wait(heard);
        continue;
      }
      await perform(db, deps, drop, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      deps.log('file not dropped', { error });
      failures += 1;
      await nudged.wait(nudges, backoffMs(RETRY, failures, randomFraction(deps.random)));
    }
  }
  due.unsubscribe();
}

/** None while a message that this device has not read may name the same file, as a forwarded one does. */
async function nextDrop(db: Db): Promise<DropRow | undefined> {
  return db.transaction('r', [db.drops, db.messages, db.meta], async () => {
    const drop = await db.drops.toCollection().first();
    if (drop === undefined || !(await readStanding(db)).isCaughtUp) return undefined;
    const unread = (await todoOf(db, 'open').count()) + (await todoOf(db, 'wait').count());
    return unread === 0 ? drop : undefined;
  });
}

async function perform(db: Db, deps: ClientDeps, { blob }: DropRow, signal: AbortSignal): Promise<void> {
  const isNamed = (await db.messages.where('blobs').equals(blob).count()) > 0;
  if (!isNamed) await callEndpoint(deps, dropBlob, { id: blob }, signal);
  await db.drops.delete(blob);
}
