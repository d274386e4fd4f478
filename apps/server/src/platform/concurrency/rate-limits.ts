/**
 * Rate limits.
 *
 * Rare and dangerous actions (guessing a session, a code or a password) count in PostgreSQL, so all processes share one
 * count. Frequent actions (sends, socket frames) count in the process: a round trip for each would cost more than it
 * protects, and a user's sockets and sends go to few processes.
 */
import { AppError } from '@dostar/protocol/errors';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Pool } from 'pg';
import { networksOf } from '../http/visitor-address.ts';
import { FixedWindowCounter } from './fixed-window-counter.ts';
import type { RateLimitCount } from './fixed-window-counter.ts';

const SWEEP_PAGE = 5_000;
const CLOCKS_DIFFER_BY_MS = 60_000;

export interface RateLimit {
  name: string;
  points: number;
  perSeconds: number;
  scope: 'shared' | 'process';
}

interface LimitedKey {
  limit: RateLimit;
  key: string;
}

/** An address also counts against the larger networks that contain it, each with a limit of its own. */
function widen(limit: RateLimit, key: string): LimitedKey[] {
  return networksOf(key).map(({ network, factor }) => ({
    limit: factor === 1 ? limit : { ...limit, name: `${limit.name}*${factor}`, points: limit.points * factor },
    key: network,
  }));
}

export class RateLimiter {
  #pool: Pool;
  #limiters = new Map<string, RateLimiterAbstract>();
  #counters = new Map<string, FixedWindowCounter>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Counts one action of `key`; throws `rate_limited`, with the wait, beyond the limit. */
  async charge(limit: RateLimit, key: string): Promise<void> {
    const { isOver, resetMs } = await this.count(limit, key);
    if (isOver) throw new AppError('rate_limited', { retryAfterMs: resetMs });
  }

  /** Counts one action of `key` and returns what is left, for answers that show it. */
  async count(limit: RateLimit, key: string): Promise<RateLimitCount> {
    const [own, ...wider] = widen(limit, key);
    const count = await this.#countOne(own!.limit, own!.key);
    for (const each of wider) {
      // A refused action must not count against the larger networks, which other visitors share.
      if (count.isOver) break;
      const more = await this.#countOne(each.limit, each.key);
      if (more.isOver) return more;
    }
    return count;
  }

  async #countOne(limit: RateLimit, key: string): Promise<RateLimitCount> {
    if (limit.scope === 'process') return this.#counterFor(limit).count(key, performance.now());
    const { points } = limit;
    try {
      const { consumedPoints, msBeforeNext: resetMs } = await this.#limiter(limit).consume(key);
      return { remaining: Math.max(0, points - consumedPoints), resetMs, isOver: false };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { remaining: 0, resetMs: refusal.msBeforeNext, isOver: true };
    }
  }

  /** Forgets every action of `key`, after it has authenticated. */
  async forget(limit: RateLimit, key: string): Promise<void> {
    await this.#limiter(limit).delete(key);
  }

  /** Takes one action back, after it has succeeded. */
  async refund(limit: RateLimit, key: string): Promise<void> {
    for (const each of widen(limit, key)) await this.#limiter(each.limit).reward(each.key, 1);
  }

  /** Deletes expired counters. The worker calls it for all processes. */
  async sweep(): Promise<void> {
    const before = Date.now() - CLOCKS_DIFFER_BY_MS;
    for (let deleted = SWEEP_PAGE; deleted === SWEEP_PAGE;) {
      const { rowCount } = await this.#pool.query(
        `delete from limits where ctid = any (array(select ctid from limits where expire < $1 order by expire limit $2))
         and expire < $1`,
        [before, SWEEP_PAGE],
      );
      deleted = rowCount ?? 0;
    }
  }

  #counterFor(limit: RateLimit): FixedWindowCounter {
    const known = this.#counters.get(limit.name);
    if (known) return known;
    const made = new FixedWindowCounter(limit.points, limit.perSeconds);
    this.#counters.set(limit.name, made);
    return made;
  }

  #limiter(limit: RateLimit): RateLimiterAbstract {
    const known = this.#limiters.get(limit.name);
    if (known) return known;
    const made = this.#createDatabaseLimiter(limit);
    this.#limiters.set(limit.name, made);
    return made;
  }

  #createDatabaseLimiter(limit: RateLimit): RateLimiterAbstract {
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      storeType: 'pool',
      tableName: 'limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.perSeconds,
      // Known offenders are refused from memory; and if the directory is down the process still counts by itself.
      inMemoryBlockOnConsumed: limit.points + 1,
      insuranceLimiter: new RateLimiterMemory({
        keyPrefix: limit.name,
        points: limit.points,
        duration: limit.perSeconds,
      }),
    });
  }
}
