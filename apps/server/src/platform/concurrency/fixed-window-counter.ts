/**
 * Counts events per key in this process.
 *
 * A window begins with the first event and lasts a fixed time. There is no timer per key: expired windows are deleted now
 * and then.
 */

export interface RateLimitCount {
  remaining: number;
  resetMs: number;
  isOver: boolean;
}

const MAX_KEYS = 100_000;

interface Window {
  used: number;
  endsAt: number;
}

export class FixedWindowCounter {
  readonly #points: number;
  readonly #windowMs: number;
  #byKey = new Map<string, Window>();
  #sweepAt = 0;

  constructor(points: number, perSeconds: number) {
    this.#points = points;
    this.#windowMs = perSeconds * 1000;
  }

  /** Counts one action and returns what is left. */
  count(key: string, now: number): RateLimitCount {
    if (now >= this.#sweepAt) this.#sweep(now);
    let window = this.#byKey.get(key);
    if (!window || window.endsAt <= now) {
      window = { used: 0, endsAt: now + this.#windowMs };
      this.#byKey.delete(key);
      this.#byKey.set(key, window);
      // Bounds the memory: the oldest window is evicted early.
      if (this.#byKey.size > MAX_KEYS) this.#byKey.delete(this.#byKey.keys().next().value!);
    }
    window.used += 1;
    const { used, endsAt } = window;
    return {
      remaining: Math.max(0, this.#points - used),
      resetMs: Math.ceil(endsAt - now),
      isOver: used > this.#points,
    };
  }

  #sweep(now: number): void {
    this.#sweepAt = now + this.#windowMs;
    for (const [key, window] of this.#byKey) if (window.endsAt <= now) this.#byKey.delete(key);
  }
}
