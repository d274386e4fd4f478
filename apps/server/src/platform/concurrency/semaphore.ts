import { AppError } from '@dostar/protocol/errors';

/** Bounded FIFO semaphore. Throws `unavailable` when the queue is full, or after `maxWaitMs` in it. */
export class Semaphore {
  #free: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number, maxWaiting = Infinity, maxWaitMs = Infinity) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Resolves with the function that releases the permit; calling it again does nothing. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw new AppError('unavailable');
    else await this.#wait();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
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
