/**
 * Loads keys that are asked for at the same time in one call, and each key once.
 *
 * At most `maxCalls` at a time; keys that arrive meanwhile go with the next call, so that no caller gets a value that was
 * read before it asked.
 */
export interface BatchLoaderOptions<Key, Value> {
  maxBatch: number;
  maxCalls: number;
  idOf: (key: Key) => string;
  /** Answers in the order of the keys. */
  read: (keys: Key[]) => Promise<Value[]>;
}

interface Waiting<Key, Value> extends PromiseWithResolvers<Value> {
  key: Key;
}

export class BatchLoader<Key, Value> {
  readonly #options: BatchLoaderOptions<Key, Value>;
  #waiting = new Map<string, Waiting<Key, Value>>();
  #calls = 0;

  constructor(options: BatchLoaderOptions<Key, Value>) {
    this.#options = options;
  }

  async load(key: Key): Promise<Value> {
    const id = this.#options.idOf(key);
    const known = this.#waiting.get(id);
    if (known) return known.promise;
    const waiting = { key, ...Promise.withResolvers<Value>() };
    this.#waiting.set(id, waiting);
    if (this.#calls < this.#options.maxCalls) {
      this.#calls += 1;
      // At the end of this turn of the event loop, so that everything that arrived in it shares the call.
      setImmediate(() => void this.#readAll());
    }
    return waiting.promise;
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#readBatch(this.#takeBatch());
    this.#calls -= 1;
  }

  #takeBatch(): Waiting<Key, Value>[] {
    const taken = [...this.#waiting].slice(0, this.#options.maxBatch);
    for (const [id] of taken) this.#waiting.delete(id);
    return taken.map(([, waiting]) => waiting);
  }

  async #readBatch(batch: Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await this.#options.read(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
