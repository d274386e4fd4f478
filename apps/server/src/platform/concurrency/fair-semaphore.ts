import { Semaphore } from './semaphore.ts';

interface CallerQueue {
  semaphore: Semaphore;
  count: number;
}

/** Bounded semaphore with a share for each caller: calls beyond the share queue behind the same caller's, not in front of others'. */
export class FairSemaphore {
  readonly #semaphore: Semaphore;
  readonly #maxWaiting: number;
  readonly #permitsPerCaller: number;
  readonly #queues = new Map<string, CallerQueue>();

  constructor(permits: number, maxWaiting: { total: number; perCaller: number }, permitsPerCaller = 1) {
    this.#semaphore = new Semaphore(permits, maxWaiting.total);
    this.#maxWaiting = maxWaiting.perCaller;
    this.#permitsPerCaller = permitsPerCaller;
  }

  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(caller) ?? {
      semaphore: new Semaphore(this.#permitsPerCaller, this.#maxWaiting),
      count: 0,
    };
    this.#queues.set(caller, queue);
    queue.count += 1;
    try {
      return await queue.semaphore.run(() => this.#semaphore.run(task));
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(caller);
    }
  }
}
