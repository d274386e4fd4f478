/**
 * Deletes the account's references to files that none of its messages names any more; the server deletes a blob with
 * its last reference (SPEC F4). Every device that deletes a message queues its files; deleting a reference twice is
 * harmless.
 */
import { deleteBlob } from '@dostar/protocol/contract/blobs';
import { liveQuery } from 'dexie';
import { backoffMs, randomFraction } from '../lib/backoff.ts';
import { type Wakeup, createWakeup } from '../lib/wakeup.ts';
import type { KeyActions } from '../crypto/key-ring.ts';
import { readSyncState } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { DropRow, MessageRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { rowsWithTodo } from '../messages/store.ts';
import { callEndpoint } from '../net/http.ts';

const RETRY = { firstMs: 1_000, capMs: 300_000 };

/** A message that is undecryptable for longer no longer prevents the deletion of files. */
const UNDECRYPTABLE_GRACE_MS = 7 * 24 * 3_600_000;
/** There is no event for the end of the grace period or of the search for keys. */
const RECHECK_INTERVAL_MS = 3_600_000;

interface BlobCleanupDeps extends ClientDeps {
  keyRing: Pick<KeyActions, 'counts'>;
}

/** Call it in the transaction that deletes the message. */
export async function queueBlobCleanup(db: Db, { blobs = [] }: Pick<MessageRow, 'blobs'>): Promise<void> {
  if (blobs.length > 0) await db.drops.bulkPut(blobs.map((blob) => ({ blob })));
}

export async function runBlobCleanup(
  db: Db,
  deps: BlobCleanupDeps,
  nudged: Wakeup,
  signal: AbortSignal,
): Promise<void> {
  const wakeup = createWakeup(deps.clock, signal);
  const due = liveQuery(() => findBlobToDrop(db)).subscribe({
    next: wakeup.trigger,
    error: (error: unknown) => deps.log('drops not watched', { error }),
  });
  let failures = 0;
  while (!signal.aborted) {
    const seen = wakeup.generation();
    const nudges = nudged.generation();
    try {
      const drop = await nextBlobToDrop(db, deps);
      if (drop === undefined) {
        await wakeup.wait(seen, RECHECK_INTERVAL_MS);
        continue;
      }
      await dropUnlessReferenced(db, deps, drop, signal);
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

/** Undefined while an undecrypted message may name the same file, as a forwarded message does. */
async function nextBlobToDrop(db: Db, deps: BlobCleanupDeps): Promise<DropRow | undefined> {
  const { drop, closed } = await findBlobToDrop(db);
  return drop !== undefined && closed > 0 && (await mayStillDecrypt(db, deps)) ? undefined : drop;
}

/** With the number of undecryptable messages. No blob while some messages have not been tried yet. */
async function findBlobToDrop(db: Db): Promise<{ drop?: DropRow; closed: number }> {
  return db.transaction('r', [db.drops, db.messages, db.meta], async () => {
    const drop = await db.drops.toCollection().first();
    if (drop === undefined || !(await readSyncState(db)).isCaughtUp) return { closed: 0 };
    const closed = await rowsWithTodo(db, 'wait').count();
    return (await rowsWithTodo(db, 'open').count()) > 0 ? { closed } : { drop, closed };
  });
}

/** Whether keys of undecryptable messages may still arrive: a new browser fetches the keys of years one by one. */
async function mayStillDecrypt(db: Db, { clock, keyRing }: BlobCleanupDeps): Promise<boolean> {
  if ((await keyRing.counts()).isSeeking) return true;
  const since = clock.now() - UNDECRYPTABLE_GRACE_MS;
  const stillPending = await rowsWithTodo(db, 'wait')
    .reverse()
    .filter(({ at, waits }) => at > since || waits === 'locked')
    .first();
  return stillPending !== undefined;
}

async function dropUnlessReferenced(db: Db, deps: ClientDeps, { blob }: DropRow, signal: AbortSignal): Promise<void> {
  const isReferenced = (await db.messages.where('blobs').equals(blob).count()) > 0;
  if (!isReferenced) await callEndpoint(deps, deleteBlob, { id: blob }, signal);
  await db.drops.delete(blob);
}
