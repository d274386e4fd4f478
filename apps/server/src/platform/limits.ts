/**
 * Limits on what strangers and the impatient can do.
 *
 * Rare and dangerous acts (guessing a session, later codes and passwords) count in PostgreSQL, so two processes share
 * one count. Frequent acts (sends, socket frames) count in the process: a round trip for each would cost more than it
 * guards, and a person's sockets and sends go to few processes.
 */
import { AppError } from '@dostar/protocol/errors';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Pool } from 'pg';
import { Windows } from './windows.ts';
import type { Count } from './windows.ts';

export interface Limit {
  name: string;
  points: number;
  perSeconds: number;
  scope: 'shared' | 'process';
}

export class Limits {
  #pool: Pool;
  #limiters = new Map<string, RateLimiterAbstract>();
  #windows = new Map<string, Windows>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Counts one act of `key`; throws `rate_limited`, with the wait, once they are too many. */
  async charge(limit: Limit, key: string): Promise<void> {
    if (limit.scope === 'process') {
      const retryAfterMs = this.#window(limit).take(key, performance.now());
      if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
      return;
    }
    try {
      await this.#limiter(limit).consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('rate_limited', { retryAfterMs: refusal.msBeforeNext });
    }
  }

  /** Counts one act of `key` and says what is left, for answers that tell it. */
  async count(limit: Limit, key: string): Promise<Count> {
    if (limit.scope === 'process') return this.#window(limit).count(key, performance.now());
    const { points } = limit;
    try {
      const { consumedPoints, msBeforeNext: resetMs } = await this.#limiter(limit).consume(key);
      return { remaining: Math.max(0, points - consumedPoints), resetMs, isOver: false };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { remaining: 0, resetMs: refusal.msBeforeNext, isOver: true };
    }
  }

  /** Everything of `key` is forgotten: it turned out to be who it should be. */
  async forget(limit: Limit, key: string): Promise<void> {
    await this.#limiter(limit).delete(key);
  }

  /** Takes one act back: it turned out to be what it should be. */
  async refund(limit: Limit, key: string): Promise<void> {
    await this.#limiter(limit).reward(key, 1);
  }

  #window(limit: Limit): Windows {
    const known = this.#windows.get(limit.name);
    if (known) return known;
    const made = new Windows(limit.points, limit.perSeconds);
    this.#windows.set(limit.name, made);
    return made;
  }

  #limiter(limit: Limit): RateLimiterAbstract {
    const known = this.#limiters.get(limit.name);
    if (known) return known;
    const made = this.#inDatabase(limit);
    this.#limiters.set(limit.name, made);
    return made;
  }

  #inDatabase(limit: Limit): RateLimiterAbstract {
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      storeType: 'pool',
      tableName: 'limits',
      tableCreated: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.perSeconds,
      // Known offenders are refused from memory; and if the directory is away the process still counts by itself.
      inMemoryBlockOnConsumed: limit.points + 1,
      insuranceLimiter: new RateLimiterMemory({
        keyPrefix: limit.name,
        points: limit.points,
        duration: limit.perSeconds,
      }),
    });
  }
}
