/** The lane of a shard's appends: what arrives together is stored together, in one call (platform/postgres/batch-writer.ts). */
import type { Context } from '../../../context.ts';
import { Lane } from '../../../platform/postgres/batch-writer.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { trace } from '../../../platform/observability/tracing.ts';
import { appendUnits } from './store.ts';
import type { Appended, NewEntry, Settled, Unit } from './store.ts';

/** A second one would mostly wait for mailbox rows that the first has locked, and halve the batches. */
const CONNECTIONS = 1;
const MAX_WAITING = 4_000;
const MAX_BATCH = 200;
/** Copies that were made are struck off with the next append; if none comes, after this pause. */
const SETTLE_AFTER_MS = 1_000;
const MAX_SETTLED = 1_000;

const KEY = Symbol('append lane');

export class AppendLane implements AsyncDisposable {
  readonly #lane: Lane<Unit | undefined, Appended[]>;
  readonly #shard: number;
  #settled: Settled[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context, shard: Shard) {
    this.#shard = shard.id;
    const label = { shard: String(shard.id) };
    this.#lane = new Lane({
      engine: shard.engine,
      breaker: shard.breaker,
      connections: CONNECTIONS,
      maxWaiting: MAX_WAITING,
      maxBatch: MAX_BATCH,
      keysOf: (unit) => (unit ?? []).flatMap(idsOf),
      run: async (client, items) => {
        const units = items.filter((item) => item !== undefined);
        ctx.metrics.appendBatch.observe(label, units.length);
        const stop = ctx.metrics.appendSeconds.startTimer(label);
        // If the call fails these are forgotten, and the worker finds the copies made already.
        const answers = await trace('append batch', { shard: shard.id, size: units.length }, () =>
          appendUnits(client, units, this.#takeSettled()),
        );
        stop();
        let next = 0;
        return items.map((item) => (item === undefined ? [] : answers[next++]!));
      },
    });
  }

  async append(unit: Unit): Promise<Appended[]> {
    return trace('append', { shard: this.#shard }, () => this.#lane.submit(unit));
  }

  settle(row: Settled): void {
    if (this.#settled.length >= MAX_SETTLED) return;
    this.#settled.push(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#settled.length > 0) this.#lane.submit(undefined).catch(() => {});
    }, SETTLE_AFTER_MS);
  }

  #takeSettled(): Settled[] {
    const taken = this.#settled;
    this.#settled = [];
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#lane[Symbol.asyncDispose]();
  }
}

/**
 * A repeat waits for what it repeats, and an erasure for its message: one call would not find what it is only about to
 * store. By id alone: that two senders chose the same is rare enough to let one of them wait too.
 */
function idsOf({ id, erases }: NewEntry): string[] {
  return erases ? [id, erases.id] : [id];
}

export function appendLane(ctx: Context, shard: Shard): AppendLane {
  return shard.resource(KEY, () => new AppendLane(ctx, shard));
}
