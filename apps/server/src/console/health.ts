/** The result of the doctor's checks, which take seconds: kept for a minute, and made once however many pages ask. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckInput } from '../cli/doctor/finding.ts';
import { runChecksOf } from '../cli/doctor/run-checks.ts';
import type { CheckResult } from '../cli/doctor/run-checks.ts';

const FRESH_FOR_MS = 60_000;
/** A page does not wait longer. */
const PATIENCE_MS = 5_000;

export interface HealthReport {
  at: number;
  results: CheckResult[];
}

export class HealthReports {
  readonly #input: CheckInput;
  #last: HealthReport | undefined;
  #running: Promise<void> | undefined;

  constructor(input: CheckInput) {
    this.#input = input;
  }

  /** Undefined while the first checks are under way. */
  async read(): Promise<HealthReport | undefined> {
    const isFresh = this.#last !== undefined && this.#input.clock.now() - this.#last.at < FRESH_FOR_MS;
    if (!isFresh) await this.check();
    return this.#last;
  }

  /** Checks now, and returns when that is done or takes long. */
  async check(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await Promise.race([this.#running, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const results = await runChecksOf(this.#input);
    this.#last = { at: this.#input.clock.now(), results };
  }
}
