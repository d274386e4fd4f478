/** `./dev slow COMMAND …`: runs a ./dev command on an artificially slowed machine. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repoRoot } from '../servers/folders.ts';
import { findProcess, listDescendants, signalProcess } from '../servers/processes.ts';
import { listRecords } from '../servers/records.ts';
import { runHere } from './programs.ts';

const BUSY_LOOPS = 2;
const FROZEN_MS = 3_000;
/** With about sixty processes, each is frozen a tenth of the time. */
const FREEZE_EVERY_MS = 500;

export async function runSlowed(args: string[]): Promise<number> {
  // In separate sessions: the scheduler divides time between sessions, and a terminal's may get more than the engines'.
  const loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true }),
  );
  const over = new AbortController();
  const freezing = freezeAtRandom(new Set(loops.map(({ pid }) => pid)), over.signal);
  try {
    return await runHere(process.execPath, [join(repoRoot, 'tools/src/main.ts'), ...args]);
  } finally {
    over.abort();
    for (const loop of loops) loop.kill('SIGKILL');
    await freezing;
  }
}

/** Freezes a random process of the command or of the shared engines at each interval. */
async function freezeAtRandom(spared: Set<number | undefined>, signal: AbortSignal): Promise<void> {
  const frozen: Promise<void>[] = [];
  while (!signal.aborted) {
    await sleep(FREEZE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const roots = [process.pid, ...listRecords().map(({ pid }) => pid)];
    const engines = roots.slice(1).flatMap((pid) => findProcess(pid) ?? []);
    const all = [...engines, ...roots.flatMap(listDescendants)].filter(({ pid }) => !spared.has(pid));
    const ref = all[Math.floor(Math.random() * all.length)];
    if (ref === undefined) continue;
    signalProcess(ref, 'SIGSTOP');
    frozen.push(
      sleep(FROZEN_MS, undefined, { signal })
        .catch(() => undefined)
        .then(() => signalProcess(ref, 'SIGCONT')),
    );
  }
  await Promise.all(frozen);
}
