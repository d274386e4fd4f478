import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  what: string;
  timeoutMs?: number;
  everyMs?: number;
}

/** Resolves with the first truthy result. A check that throws counts as "not yet". */
export async function waitFor<T>(check: () => T | Promise<T>, options: WaitOptions): Promise<T & {}> {
  const deadline = performance.now() + (options.timeoutMs ?? 60_000);
  let lastError: unknown;
  do {
    try {
      const answer = await check();
      if (answer) return answer;
    } catch (error) {
      lastError = error;
    }
    await sleep(options.everyMs ?? 25);
  } while (performance.now() < deadline);
  throw new Error(`Waited ${(options.timeoutMs ?? 60_000) / 1000} s for ${options.what}.`, { cause: lastError });
}
