import { AppError } from '@dostar/protocol/errors';

/** Bounded FIFO semaphore. Throws `unavailable` when the queue is full, or after `maxWaitMs` in it. */
export class Gate {
  #free: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number, maxWaiting = Infinity, maxWaitMs = Infinity) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
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
    else await this.#wait();
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#maxWaitMs === Infinity) return promise;
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(new AppError('unavailable'));
    }, this.#maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }
}
