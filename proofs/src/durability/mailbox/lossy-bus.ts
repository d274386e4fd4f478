/** A bus that drops, repeats, delays and reorders messages all the time. */
import type { Bus } from '../../../../apps/server/src/platform/bus/bus.ts';
import { seededRandom } from '../../harness/lib/seeded-random.ts';

type Listener = (payload: string, subject: string) => void;

const LOST = 0.3;
const REPEATED = 0.1;
const LATE_MS = 6;

export class LossyBus implements Bus {
  readonly isUp = true;
  published = 0;
  lost = 0;
  #random = seededRandom(0);
  #listeners = new Map<string, Set<Listener>>();

  reseed(seed: number): void {
    this.#random = seededRandom(seed);
  }

  publish(subject: string, payload: string): void {
    const roll = this.#random();
    this.published += 1;
    if (roll < LOST) {
      this.lost += 1;
      return;
    }
    this.#deliverLate(subject, payload);
    if (roll < LOST + REPEATED) this.#deliverLate(subject, payload);
  }

  subscribe(subject: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, listeners.add(listener));
    return Promise.resolve(() => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(subject);
    });
  }

  onReconnect(): () => void {
    return () => {};
  }

  #deliverLate(subject: string, payload: string): void {
    setTimeout(() => {
      for (const listener of this.#listeners.get(subject) ?? []) listener(payload, subject);
    }, this.#random() * LATE_MS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
