/**
 * The way to an account's data. `of(account)` is the only way to a shard's pool.
 *
 * A shard that has given an account away says so (`WrongShardError`); `withCurrentShard` then reloads the placement and runs the task
 * again, so no caller has to think about moves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { CircuitBreaker } from '../concurrency/circuit-breaker.ts';
import type { Clock } from '../concurrency/clock.ts';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Log } from '../observability/log.ts';
import { migrateDatabase } from './migrate.ts';
import type { Placement } from './placement.ts';
import { isDatabaseUnavailable, openMaintenancePool, openPool, queryBuilder } from './pools.ts';
import type { DatabaseOptions, ShardDb } from './pools.ts';
import type { ShardTables } from './tables/tables.ts';
import { trace } from '../observability/tracing.ts';

/** A bucket that is being moved pauses for well under a second; after this time the mover has died. */
const WRONG_SHARD_RETRY_MS = 8_000;
const WRONG_SHARD_PAUSE_MS = 20;
const BUCKET_MOVED = 'DM001';
/** Limited reads that wait. */
const MAX_QUEUED_READS = { perCaller: 50, total: 200 };

/** `moved`: this shard has (or is giving) the account away. `unknown`: this shard has never heard of it. */
export class WrongShardError extends Error {
  override name = 'WrongShardError';
  readonly kind: 'moved' | 'unknown';
  readonly account: AccountId;
  readonly shard: number;

  constructor(kind: 'moved' | 'unknown', account: AccountId, shard: number) {
    super(kind);
    this.kind = kind;
    this.account = account;
    this.shard = shard;
  }
}

interface ShardOptions {
  id: number;
  database: DatabaseOptions;
  poolSize: number;
  /** How long a call waits for a free connection; by default `database.timeoutMs`, the limit of a statement. */
  queueMs?: number;
  clock: Clock;
  log: Log;
}

export class Shard implements AsyncDisposable {
  readonly id: number;
  readonly database: DatabaseOptions;
  readonly breaker: CircuitBreaker;
  #db: Kysely<ShardTables>;
  #connections: Semaphore;
  #limitedReads: FairSemaphore;
  #resources = new Map<symbol, AsyncDisposable>();

  constructor(options: ShardOptions) {
    this.id = options.id;
    this.database = options.database;
    this.breaker = new CircuitBreaker(options.clock);
    const pool = openPool(options.database, options.poolSize, (error) => {
      options.log.warn({ shard: options.id, reason: error.message }, 'idle connection lost');
    });
    this.#db = queryBuilder<ShardTables>(pool);
    this.#connections = new Semaphore(options.poolSize, Infinity, options.queueMs ?? options.database.timeoutMs);
    this.#limitedReads = new FairSemaphore(Math.ceil(options.poolSize / 2), MAX_QUEUED_READS);
  }

  /** Reads, or writes that need no transaction. Fails at once while the shard is known to be down. */
  async query<T>(task: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.guard(() => task(this.#db));
  }

  /** A slow query that a caller composed: it never takes all connections, so that messages still get one. */
  async queryLimited<T>(caller: string, task: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.#limitedReads.run(caller, () => this.query(task));
  }

  /** Several statements at once over rows of many accounts, where losing a row to a move does no harm. */
  async transact<T>(task: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.guard(() => this.#db.transaction().execute(task));
  }

  /** A write to one account's rows: holds its bucket, so that a mover waits for it and it sees the mover. */
  async write<T>(account: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.guard(() =>
      this.#db.transaction().execute(async (tx) => {
        await sql`select hold_bucket(${account}::uuid)`.execute(tx).catch((error: unknown) => {
          if ((error as { code?: string }).code === BUCKET_MOVED) throw new WrongShardError('moved', account, this.id);
          throw error;
        });
        return task(tx);
      }),
    );
  }

  /** Work of an operator, on a connection of its own that no time limit cuts. */
  async maintain<T>(task: (db: Kysely<ShardTables>) => Promise<T>): Promise<T> {
    await using db = queryBuilder<ShardTables>(openMaintenancePool(this.database.url));
    return await task(db);
  }

  async migrate(): Promise<number> {
    return this.maintain((db) => migrateDatabase(db, 'shard'));
  }

  /**
   * Calls queue here and not in the pool, whose time limit can't tell a busy process from a shard that is down: a burst of
   * calls would open the breaker and be refused.
   */
  async guard<T>(task: () => Promise<T>): Promise<T> {
    if (this.breaker.isOpen) throw new AppError('unavailable');
    return this.#connections.run(() => this.#guardNow(task));
  }

  async #guardNow<T>(task: () => Promise<T>): Promise<T> {
    this.breaker.admit();
    try {
      const result = await trace('shard', { shard: this.id }, task);
      this.breaker.succeeded();
      return result;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        this.breaker.succeeded();
        throw error;
      }
      this.breaker.failed();
      throw new AppError('unavailable', undefined, { cause: error });
    }
  }

  /** A long-lived object of this shard, such as its batch writer of appends; created once, closed with the shard. */
  resource<T extends AsyncDisposable>(key: symbol, make: () => T): T {
    const known = this.#resources.get(key);
    if (known) return known as T;
    const made = make();
    this.#resources.set(key, made);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#resources.values()].map((resource) => resource[Symbol.asyncDispose]()));
    await this.#db.destroy();
  }
}

export class Shards implements AsyncDisposable {
  readonly #byId: ReadonlyMap<number, Shard>;
  readonly #placement: Placement;
  readonly #clock: Clock;

  constructor(shards: Shard[], placement: Placement, clock: Clock) {
    this.#byId = new Map(shards.map((shard) => [shard.id, shard]));
    this.#placement = placement;
    this.#clock = clock;
  }

  all(): Shard[] {
    return [...this.#byId.values()];
  }

  /** Those that are not known to be down: periodic tasks leave the others for a later run. */
  reachable(): Shard[] {
    return this.all().filter(({ breaker }) => !breaker.isOpen);
  }

  byId(id: number): Shard {
    const shard = this.#byId.get(id);
    if (!shard) throw new Error(`shard ${id} is not configured`);
    return shard;
  }

  of(account: AccountId): Shard {
    return this.byId(this.#placement.shardOf(account));
  }

  /** Accounts grouped by the shard that holds them, for work done many at a time. */
  group<T>(items: Iterable<T>, accountOf: (item: T) => AccountId): Map<Shard, T[]> {
    return Map.groupBy(items, (item) => this.of(accountOf(item)));
  }

  /**
   * A transaction on the account's shard, which holds its bucket. Also for reads that decide something: a shard that gave the
   * account away would find no rows.
   */
  async write<T>(account: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.withCurrentShard(() => this.of(account).write(account, task));
  }

  /** Runs the task, and again after a reload each time it lands on a shard that gave the account away. */
  async withCurrentShard<T>(task: () => Promise<T>): Promise<T> {
    const deadline = this.#clock.now() + WRONG_SHARD_RETRY_MS;
    for (;;) {
      try {
        return await task();
      } catch (error) {
        if (!(error instanceof WrongShardError)) throw error;
        await this.#placement.reload();
        const isSameShard = this.of(error.account).id === error.shard;
        if (error.kind === 'unknown' && isSameShard) throw new AppError('unknown_account', undefined, { cause: error });
        if (this.#clock.now() > deadline) throw new AppError('unavailable', undefined, { cause: error });
        if (isSameShard) await sleep(WRONG_SHARD_PAUSE_MS);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all().map((shard) => shard[Symbol.asyncDispose]()));
  }
}
