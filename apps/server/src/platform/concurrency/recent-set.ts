const MAX_KEYS = 10_000;

/** Remembers keys for a fixed time, and at most `MAX_KEYS`: then the oldest is evicted early. */
export class RecentSet {
  readonly #forMs: number;
  readonly #until = new Map<string, number>();

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  has(key: string): boolean {
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#until.delete(key);
    return false;
  }

  add(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, performance.now() + this.#forMs);
    if (this.#until.size > MAX_KEYS) this.#until.delete(this.#until.keys().next().value!);
  }
}
