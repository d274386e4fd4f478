/** Batches appends to a shard: appends that arrive together are stored in one call (platform/postgres/batch-writer.ts). */
import type { Context } from '../../../context.ts';
import { BatchWriter } from '../../../platform/postgres/batch-writer.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { trace } from '../../../platform/observability/tracing.ts';
import { appendUnits } from './store.ts';
import type { Appended, NewEntry, CopyKey, AppendUnit } from './store.ts';

/** A second one would mostly wait for mailbox rows that the first has locked, and halve the batches. */
const CONNECTIONS = 1;
const MAX_WAITING = 4_000;
const MAX_BATCH = 200;
/** The next append deletes the pending copies that were made; if none comes, an empty one does after this pause. */
const MARK_AFTER_MS = 1_000;
const MAX_COPIED = 1_000;

const KEY = Symbol('append writer');

export class AppendWriter implements AsyncDisposable {
  readonly #writer: BatchWriter<AppendUnit | undefined, Appended[]>;
  readonly #shard: number;
  #copied: CopyKey[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context, shard: Shard) {
    this.#shard = shard.id;
    const label = { shard: String(shard.id) };
    this.#writer = new BatchWriter({
      database: shard.database,
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
          appendUnits(client, units, this.#takeCopied()),
        );
        stop();
        let next = 0;
        return items.map((item) => (item === undefined ? [] : answers[next++]!));
      },
    });
  }

  async append(unit: AppendUnit): Promise<Appended[]> {
    return trace('append', { shard: this.#shard }, () => this.#writer.submit(unit));
  }

  markCopied(row: CopyKey): void {
    if (this.#copied.length >= MAX_COPIED) return;
    this.#copied.push(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#copied.length > 0) this.#writer.submit(undefined).catch(() => {});
    }, MARK_AFTER_MS);
  }

  #takeCopied(): CopyKey[] {
    const taken = this.#copied;
    this.#copied = [];
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writer[Symbol.asyncDispose]();
  }
}

/**
 * A repeat waits for what it repeats, and an erasure for its message: one call would not find what it is only about to
 * store. By id alone: that two senders chose the same is rare enough to let one of them wait too.
 */
function idsOf({ id, erases }: NewEntry): string[] {
  return erases ? [id, erases.id] : [id];
}

export function appendWriter(ctx: Context, shard: Shard): AppendWriter {
  return shard.resource(KEY, () => new AppendWriter(ctx, shard));
}
