/**
 * Asks each engine every two seconds whether it answers. `/readyz` and the metric show the last outcomes, so no caller waits
 * for an engine or causes a query.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

const PAUSE_MS = 2_000;

export interface Engine {
  /** `directory`, `shard_0`, `nats` or `blobs`. */
  name: string;
  check: () => Promise<unknown>;
}

interface EngineCheckOptions {
  /** An engine that takes longer counts as down. */
  timeoutMs: number;
  metrics: Metrics;
  log: Log;
}

export class EngineChecks implements Disposable {
  readonly #options: EngineCheckOptions;
  readonly #stopped = new AbortController();
  readonly #outcomes = new Map<string, boolean>();

  private constructor(options: EngineCheckOptions) {
    this.#options = options;
  }

  /** Resolves once each engine has answered or has taken too long. */
  static async start(engines: Engine[], options: EngineCheckOptions): Promise<EngineChecks> {
    const checks = new EngineChecks(options);
    await Promise.all(engines.map((engine) => checks.#follow(engine)));
    return checks;
  }

  /** By name, whether the engine answers. */
  get outcomes(): Record<string, boolean> {
    return Object.fromEntries(this.#outcomes);
  }

  #follow(engine: Engine): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const note = (isUp: boolean): void => {
      this.#note(engine.name, isUp);
      resolve();
    };
    void this.#checkPeriodically(engine, note);
    return promise;
  }

  async #checkPeriodically({ check }: Engine, note: (isUp: boolean) => void): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      let isLate = false;
      const deadline = setTimeout(() => {
        isLate = true;
        note(false);
      }, this.#options.timeoutMs);
      // A check that hangs is not repeated until it ends: a dead disk blocks one thread of the process, not all of them.
      const isAnswered = await isAnswering(check);
      clearTimeout(deadline);
      note(isAnswered && !isLate);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  #note(name: string, isUp: boolean): void {
    if (this.#stopped.signal.aborted) return;
    const before = this.#outcomes.get(name) ?? true;
    this.#outcomes.set(name, isUp);
    const { metrics, log } = this.#options;
    metrics.engineUp.set({ engine: name }, isUp ? 1 : 0);
    if (before && !isUp) log.warn({ engine: name }, 'an engine does not answer');
    if (!before && isUp) log.info({ engine: name }, 'an engine answers again');
  }

  /** Does not wait for checks under way, because one may hang. */
  [Symbol.dispose](): void {
    this.#stopped.abort();
  }
}

async function isAnswering(check: Engine['check']): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
