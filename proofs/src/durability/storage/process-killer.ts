/** Kills a random process at intervals and restarts it, until asked to stop. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Killable {
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
}

export interface ProcessKiller {
  kills: () => number;
  end: () => Promise<void>;
}

export function startProcessKiller(victims: Killable[], random: () => number, everyMs: number): ProcessKiller {
  const over = new AbortController();
  let kills = 0;
  const killRepeatedly = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(everyMs * (0.5 + random()));
      const victim = victims[Math.floor(random() * victims.length)];
      if (over.signal.aborted || !victim) return;
      victim.signal('SIGKILL');
      kills += 1;
      await victim.restart();
    }
  };
  const killing = killRepeatedly();
  return {
    kills: () => kills,
    async end() {
      over.abort();
      await killing;
    },
  };
}
