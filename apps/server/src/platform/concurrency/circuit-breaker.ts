/**
 * Stops calls to a service that does not answer.
 *
 * Without it every call to a stopped shard waits for its timeout while holding a request, and the process fills with
 * waiters that have nothing to do with the healthy shards.
 */
import { AppError } from '@dostar/protocol/errors';
import type { Clock } from './clock.ts';

const FAILURES_TO_OPEN = 2;
const OPEN_FOR_MS = 1_000;

export class CircuitBreaker {
  #clock: Clock;
  #failures = 0;
  #openUntil = 0;
  #isProbing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN && (this.#isProbing || this.#clock.now() < this.#openUntil);
  }

  /** Throws at once while open; now and then a single call is let through as a probe. */
  admit(): void {
    if (this.#failures < FAILURES_TO_OPEN) return;
    if (this.isOpen) throw new AppError('unavailable');
    this.#isProbing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#isProbing = false;
    this.#openUntil = this.#clock.now() + OPEN_FOR_MS;
  }
}
