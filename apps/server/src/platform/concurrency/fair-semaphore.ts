import { Gate } from './semaphore.ts';

interface Line {
  gate: Gate;
  count: number;
}

/** Bounded semaphore with a share for each caller: calls beyond the share queue behind the same caller's, not in front of others'. */
export class FairGate {
  readonly #gate: Gate;
  readonly #maxWaiting: number;
  readonly #placesOfOne: number;
  readonly #lines = new Map<string, Line>();

  constructor(places: number, maxWaiting: { ofAll: number; ofOne: number }, placesOfOne = 1) {
    this.#gate = new Gate(places, maxWaiting.ofAll);
    this.#maxWaiting = maxWaiting.ofOne;
    this.#placesOfOne = placesOfOne;
  }

  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(caller) ?? { gate: new Gate(this.#placesOfOne, this.#maxWaiting), count: 0 };
    this.#lines.set(caller, line);
    line.count += 1;
    try {
      return await line.gate.run(() => this.#gate.run(task));
    } finally {
      line.count -= 1;
      if (line.count === 0) this.#lines.delete(caller);
    }
  }
}
