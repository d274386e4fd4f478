/**
 * How often somebody did something lately, counted in this process.
 *
 * A window begins with the first act and lasts a fixed time. No timer per person: what has run out is swept now and then.
 */

interface Window {
  used: number;
  endsAt: number;
}

export class Windows {
  readonly #points: number;
  readonly #lastMs: number;
  #byKey = new Map<string, Window>();
  #sweepAt = 0;

  constructor(points: number, perSeconds: number) {
    this.#points = points;
    this.#lastMs = perSeconds * 1000;
  }

  /** Counts one act; returns how long to wait, 0 if it is within the limit. */
  take(key: string, now: number): number {
    if (now >= this.#sweepAt) this.#sweep(now);
    const window = this.#byKey.get(key);
    if (!window || window.endsAt <= now) {
      this.#byKey.set(key, { used: 1, endsAt: now + this.#lastMs });
      return 0;
    }
    window.used += 1;
    return window.used > this.#points ? Math.ceil(window.endsAt - now) : 0;
  }

  #sweep(now: number): void {
    this.#sweepAt = now + this.#lastMs;
    for (const [key, window] of this.#byKey) if (window.endsAt <= now) this.#byKey.delete(key);
  }
}
