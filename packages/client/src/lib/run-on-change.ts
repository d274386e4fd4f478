import { liveQuery } from 'dexie';
import type { Wakeup } from './wakeup.ts';
import type { ClientDeps } from '../deps.ts';

const RETRY_MS = 2_000;

interface Task {
  /** Names the task in the log. */
  name: string;
  /** A read of the database. The task runs again whenever the result may have changed. */
  watch(): Promise<unknown>;
  run(): Promise<void>;
}

/** Runs a background task at the start, after each wakeup, and two seconds after a failure. Never throws. */
export async function runOnChange(
  { log }: Pick<ClientDeps, 'log'>,
  { name, watch, run }: Task,
  wakeup: Wakeup,
  signal: AbortSignal,
): Promise<void> {
  const changes = liveQuery(watch).subscribe({
    next: wakeup.trigger,
    error: (error: unknown) => log(`${name} not watched`, { error }),
  });
  while (!signal.aborted) {
    const seen = wakeup.generation();
    let waitMs: number | undefined;
    try {
      await run();
    } catch (error) {
      if (!signal.aborted) log(`${name} failed`, { error });
      waitMs = RETRY_MS;
    }
    await wakeup.wait(seen, waitMs);
  }
  changes.unsubscribe();
}
