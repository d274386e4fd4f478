/** Everything between this device and the server. Loaded by the tab that leads, and waited for by nothing on the screen. */
import { liveQuery } from 'dexie';
import { runDataSync } from '../account-data/sync-data.ts';
import { runDrops } from '../attachments/drops.ts';
import { runUploads } from '../attachments/run-uploads.ts';
import { createBell } from '../lib/wakeup.ts';
import { runPins } from '../contacts/pins.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { readNudge } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ActionDeps } from '../messages/send/actions.ts';
import { runErasures } from '../messages/receive/erasures.ts';
import { runOpener } from '../messages/receive/decryptor.ts';
import { failJob, holdJob, listHeads, type PerformDeps, performJob, refreshDevices } from '../outbox/jobs.ts';
import { tellReadings } from '../messages/timeline/read.ts';
import { runSweeper } from '../messages/maintenance/sweep.ts';
import { countClosed } from '../messages/receive/report-undecryptable.ts';
import { runUnwanted } from '../messages/send/unwanted.ts';
import { drainOutbox } from '../outbox/outbox.ts';
import { runIndexer } from '../search/indexer.ts';
import type { Search } from '../search/search.ts';
import { runSync } from './sync.ts';

type WorkDeps = Omit<PerformDeps, 'ring'> & ActionDeps & { search: Search };

/**
 * What the leading tab does. Other tabs ring it through the database, which tells it of every change. Whoever calls it
 * again after it has thrown finds nothing of before still at work.
 */
export async function work(
  db: Db,
  clientDeps: WorkDeps,
  takeDesk: (ring: KeyRing) => () => void,
  stopped: AbortSignal,
): Promise<void> {
  let seen = await readNudge(db);
  await using ring = clientDeps.openKeyRing();
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  const leaveDesk = takeDesk(ring);
  const deps = { ...clientDeps, ring };
  const outboxBell = createBell(deps.clock, signal);
  const syncBell = createBell(deps.clock, signal);
  const readingBell = createBell(deps.clock, signal);
  const dataBell = createBell(deps.clock, signal);
  const uploadBell = createBell(deps.clock, signal);
  const openerBell = createBell(deps.clock, signal);
  const dropBell = createBell(deps.clock, signal);
  let nudges = 0;
  const jobs = liveQuery(() => db.outbox.count()).subscribe(outboxBell.ring);
  // What is written in this very tab need not come round by way of the database.
  let saved = deps.echoes.countSaved();
  const stopEchoes = deps.echoes.subscribe(() => {
    if (deps.echoes.countSaved() === saved) return;
    saved = deps.echoes.countSaved();
    outboxBell.ring();
  });
  const nudge = liveQuery(() => readNudge(db)).subscribe((latest) => {
    if (latest === seen) return;
    seen = latest;
    ring.nudge();
    syncBell.ring();
    tryAgain();
  });
  const loops = [
    runSync(db, { ...deps, onStored: openerBell.ring, onOnline: tryAgain }, syncBell, signal),
    runOpener(db, deps, openerBell, signal),
    tellReadings(db, deps, readingBell, signal),
    runSweeper(db, deps, signal),
    countClosed(db, deps, signal),
    runIndexer(db, deps.search, deps, signal),
    runDataSync(db, deps, dataBell, signal),
    runUploads(db, deps, uploadBell, signal),
    runDrops(db, deps, dropBell, signal),
    runPins(db, deps, signal),
    runErasures(db, deps, signal),
    runUnwanted(db, deps, signal),
    drainOutbox(
      {
        ...deps,
        bell: outboxBell,
        countNudges: () => nudges,
        listHeads: () => listHeads(db, deps.log),
        perform: (job) => performJob(db, deps, job, signal),
        fail: (job, error) => failJob(db, deps, job, error),
        hold: (job, error) => holdJob(db, deps, job, error),
        refreshDevices: (job) => refreshDevices(ring, deps.account, job),
      },
      signal,
    ),
  ];
  try {
    await endTogether(loops, failed);
  } finally {
    leaveDesk();
    jobs.unsubscribe();
    stopEchoes();
    nudge.unsubscribe();
  }

  /** Whoever waits after failures may have waited long for a server that is back now. */
  function tryAgain(): void {
    nudges += 1;
    for (const bell of [outboxBell, readingBell, dataBell, uploadBell, dropBell]) bell.ring();
  }
}

/** One that fails ends the others: left alone, they would go on with a ring that is closed. */
async function endTogether(loops: Promise<void>[], failed: AbortController): Promise<void> {
  for (const loop of loops) loop.catch(() => failed.abort());
  await Promise.allSettled(loops);
  await Promise.all(loops);
}
