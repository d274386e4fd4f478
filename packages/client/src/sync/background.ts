/** All work between this device and the server. The leading tab loads it; no screen waits for it. */
import { liveQuery } from 'dexie';
import { runDataSync } from '../account-data/sync-data.ts';
import { runBlobCleanup } from '../attachments/blob-cleanup.ts';
import { runUploads } from '../attachments/run-uploads.ts';
import { createWakeup } from '../lib/wakeup.ts';
import { runPins } from '../contacts/pins.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { readNudge } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import { runErasures } from '../messages/receive/erasures.ts';
import { runDecryptor } from '../messages/receive/decryptor.ts';
import { failJob, holdJob, listNextJobs, type JobDeps, performJob, refreshDevices } from '../outbox/jobs.ts';
import { runReadReceipts } from '../messages/timeline/read-receipts.ts';
import { runMessageExpiry } from '../messages/maintenance/message-expiry.ts';
import { reportUndecryptableMessages } from '../messages/receive/report-undecryptable.ts';
import type { OptimisticMessages } from '../messages/send/optimistic-messages.ts';
import type { SendDeps } from '../messages/send/send.ts';
import { runPendingDeletions } from '../messages/send/pending-deletions.ts';
import { drainOutbox } from '../outbox/outbox.ts';
import { runIndexer } from '../search/indexer.ts';
import type { Search } from '../search/search.ts';
import { runSync } from './sync.ts';

type BackgroundDeps = Omit<JobDeps, 'keyRing'> & SendDeps & { optimisticMessages: OptimisticMessages; search: Search };

/**
 * The work of the leading tab. Other tabs trigger it through the database, which reports every change. When it throws,
 * all its loops have ended, so it can be called again.
 */
export async function runBackground(
  db: Db,
  clientDeps: BackgroundDeps,
  shareKeyRing: (keyRing: KeyRing) => () => void,
  stopped: AbortSignal,
): Promise<void> {
  let seen = await readNudge(db);
  await using keyRing = clientDeps.openKeyRing();
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  const stopSharing = shareKeyRing(keyRing);
  const deps = { ...clientDeps, keyRing };
  const outboxWakeup = createWakeup(deps.clock, signal);
  const syncWakeup = createWakeup(deps.clock, signal);
  const readReceiptsWakeup = createWakeup(deps.clock, signal);
  const accountDataWakeup = createWakeup(deps.clock, signal);
  const uploadsWakeup = createWakeup(deps.clock, signal);
  const decryptorWakeup = createWakeup(deps.clock, signal);
  const blobCleanupWakeup = createWakeup(deps.clock, signal);
  let nudges = 0;
  const jobs = liveQuery(() => db.outbox.count()).subscribe(outboxWakeup.trigger);
  // Messages of this tab trigger the outbox directly, not through the database.
  let saved = deps.optimisticMessages.countSaved();
  const stopOptimistic = deps.optimisticMessages.subscribe(() => {
    if (deps.optimisticMessages.countSaved() === saved) return;
    saved = deps.optimisticMessages.countSaved();
    outboxWakeup.trigger();
  });
  const nudge = liveQuery(() => readNudge(db)).subscribe((latest) => {
    if (latest === seen) return;
    seen = latest;
    keyRing.nudge();
    syncWakeup.trigger();
    retryNow();
  });
  const loops = [
    runSync(db, { ...deps, onStored: decryptorWakeup.trigger, onOnline: retryNow }, syncWakeup, signal),
    runDecryptor(db, deps, decryptorWakeup, signal),
    runReadReceipts(db, deps, readReceiptsWakeup, signal),
    runMessageExpiry(db, deps, signal),
    reportUndecryptableMessages(db, deps, signal),
    runIndexer(db, deps.search, deps, signal),
    runDataSync(db, deps, accountDataWakeup, signal),
    runUploads(db, deps, uploadsWakeup, signal),
    runBlobCleanup(db, deps, blobCleanupWakeup, signal),
    runPins(db, deps, signal),
    runErasures(db, deps, signal),
    runPendingDeletions(db, deps, signal),
    drainOutbox(
      {
        ...deps,
        wakeup: outboxWakeup,
        countNudges: () => nudges,
        listNextJobs: () => listNextJobs(db, deps.log),
        perform: (job) => performJob(db, deps, job, signal),
        fail: (job, error) => failJob(db, deps, job, error),
        hold: (job, error) => holdJob(db, deps, job, error),
        refreshDevices: (job) => refreshDevices(keyRing, deps.account, job),
      },
      signal,
    ),
  ];
  try {
    await runUntilOneFails(loops, failed);
  } finally {
    stopSharing();
    jobs.unsubscribe();
    stopOptimistic();
    nudge.unsubscribe();
  }

  /** Loops that back off after failures may wait long although the server is available again. */
  function retryNow(): void {
    nudges += 1;
    for (const wakeup of [outboxWakeup, readReceiptsWakeup, accountDataWakeup, uploadsWakeup, blobCleanupWakeup])
      wakeup.trigger();
  }
}

/** If one loop fails, the others end too, because they would use a closed key ring. */
async function runUntilOneFails(loops: Promise<void>[], failed: AbortController): Promise<void> {
  for (const loop of loops) loop.catch(() => failed.abort());
  await Promise.allSettled(loops);
  await Promise.all(loops);
}
