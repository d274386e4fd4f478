import { AppError } from '@dostar/protocol/errors';

/** So many at once, and the rest in the order they came; who would wait behind too many is told to come later. */
export class Gate {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number, maxWaiting = Infinity) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Resolves with the way out, which may be taken more than once. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw new AppError('unavailable');
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
