/**
 * Turns many small writes into few large ones. Reads of whole reconnect storms use it too (head-reader.ts).
 *
 * The writer has connections of its own. Writes that wait when one is free go as one batch: without a timer, so a single
 * write is not delayed and many share one commit. The queue is bounded; beyond it callers get `unavailable` at once.
 *
 * No caller gets another's error: a batch that fails because of its contents is run again one by one. If the database itself
 * fails, the outcome is unknown: all callers get `unavailable`, and the connection is discarded.
 */
import { AppError } from '@dostar/protocol/errors';
import { Client } from 'pg';
import type { CircuitBreaker } from '../concurrency/circuit-breaker.ts';
import { connectionOptions, isDatabaseUnavailable } from './pools.ts';
import type { DatabaseOptions } from './pools.ts';

export interface BatchWriterOptions<Item, Answer> {
  database: DatabaseOptions;
  breaker: CircuitBreaker;
  connections: number;
  maxWaiting: number;
  maxBatch: number;
  /** Two items that share a key do not go in one batch: the later one waits and finds the first stored. Not for reads. */
  keysOf?: (item: Item) => string[];
  run: (client: Client, items: Item[]) => Promise<Answer[]>;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Connection {
  client: Client | undefined;
}

export class BatchWriter<Item, Answer> implements AsyncDisposable {
  readonly #options: BatchWriterOptions<Item, Answer>;
  readonly #free: Connection[];
  readonly #running = new Set<Promise<void>>();
  #waiting: Waiting<Item, Answer>[] = [];
  #isScheduled = false;

  constructor(options: BatchWriterOptions<Item, Answer>) {
    this.#options = options;
    this.#free = Array.from({ length: options.connections }, () => ({ client: undefined }));
  }

  get depth(): number {
    return this.#waiting.length;
  }

  async submit(item: Item): Promise<Answer> {
    if (this.#waiting.length >= this.#options.maxWaiting) throw new AppError('unavailable');
    this.#options.breaker.admit();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** At the end of the current turn of the event loop, so that everything that arrived in it shares a batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#free.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#free.pop();
      if (!connection) return;
      const running = this.#run(connection, this.#takeBatch()).finally(() => {
        this.#running.delete(running);
        this.#free.push(connection);
        if (this.#waiting.length > 0) this.#schedule();
      });
      this.#running.add(running);
    }
  }

  #takeBatch(): Waiting<Item, Answer>[] {
    const batch: Waiting<Item, Answer>[] = [];
    const later: Waiting<Item, Answer>[] = [];
    const taken = new Set<string>();
    for (const [index, waiting] of this.#waiting.entries()) {
      if (batch.length === this.#options.maxBatch) {
        later.push(...this.#waiting.slice(index));
        break;
      }
      const keys = this.#options.keysOf?.(waiting.item) ?? [];
      if (keys.some((key) => taken.has(key))) {
        later.push(waiting);
      } else {
        for (const key of keys) taken.add(key);
        batch.push(waiting);
      }
    }
    this.#waiting = later;
    return batch;
  }

  async #run(connection: Connection, batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      connection.client ??= await this.#connect(connection);
      const items = batch.map((waiting) => waiting.item);
      const answers = await this.#options.run(connection.client, items);
      this.#options.breaker.succeeded();
      for (const [index, waiting] of batch.entries()) waiting.resolve(answers[index]!);
    } catch (error) {
      await this.#recover(connection, batch, error);
    }
  }

  async #recover(connection: Connection, batch: Waiting<Item, Answer>[], error: unknown): Promise<void> {
    if (isDatabaseUnavailable(error)) {
      this.#options.breaker.failed();
      this.#drop(connection);
      const unavailable = new AppError('unavailable', undefined, { cause: error });
      for (const waiting of batch) waiting.reject(unavailable);
      return;
    }
    this.#options.breaker.succeeded();
    const [only] = batch;
    if (batch.length === 1) {
      only?.reject(error);
      return;
    }
    for (const waiting of batch) await this.#run(connection, [waiting]);
  }

  async #connect(connection: Connection): Promise<Client> {
    const client = new Client(connectionOptions(this.#options.database));
    client.on('error', () => {
      if (connection.client === client) connection.client = undefined;
    });
    await client.connect();
    return client;
  }

  #drop(connection: Connection): void {
    const { client } = connection;
    connection.client = undefined;
    // Its statement may still be running: closing politely would wait for it.
    client?.end().catch(() => {});
  }

  /** Runs everything that waits, then closes the connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#flush();
      await Promise.allSettled(this.#running);
    }
    await Promise.all(this.#free.map(async (connection) => connection.client?.end().catch(() => {})));
  }
}
