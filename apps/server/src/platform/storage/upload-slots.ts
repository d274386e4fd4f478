/**
 * Bounds how many uploads are held in memory at once, in total and for each caller, and ends uploads that are too slow: a
 * slow sender must not keep a slot from others.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../concurrency/clock.ts';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';

/** The sender fell below the minimum rate. */
export class UploadTooSlowError extends Error {}

const GRACE_MS = 10_000;
/** 16 KB/s: a full chunk takes five minutes, which is what a whole request may take. */
const BYTES_PER_MS = 16;
const INTERVAL_MS = 1_000;

interface SlotLimits {
  total: number;
  perCaller: number;
  /** Uploads that wait for a place; further ones throw `unavailable`. */
  waiting: { total: number; perCaller: number };
}

export class UploadSlots {
  readonly #clock: Clock;
  readonly #semaphore: FairSemaphore;

  constructor(clock: Clock, { total, perCaller, waiting }: SlotLimits) {
    this.#clock = clock;
    this.#semaphore = new FairSemaphore(total, waiting, perCaller);
  }

  /** Runs the task when there is a place for it. An upload takes no place before its first bytes arrive. */
  async run<T>(caller: string, body: Readable, task: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    await firstChunk(body);
    return this.#semaphore.run(caller, () => task(this.#requireMinimumRate(body)));
  }

  async *#requireMinimumRate(body: Readable): AsyncGenerator<Uint8Array> {
    const begun = this.#clock.now();
    let received = 0;
    const { promise: tooSlow, reject } = Promise.withResolvers<never>();
    tooSlow.catch(() => {});
    const timer = setInterval(() => {
      const elapsed = this.#clock.now() - begun;
      if (received < (elapsed - GRACE_MS) * BYTES_PER_MS) reject(new UploadTooSlowError());
    }, INTERVAL_MS);
    // Keeps the request open, so that the sender gets an answer.
    const chunks = body.iterator({ destroyOnReturn: false });
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), tooSlow]);
        if (next.done) return;
        const chunk = next.value as Uint8Array;
        received += chunk.length;
        yield chunk;
      }
    } finally {
      clearInterval(timer);
    }
  }
}

/** Resolves also if the body ends, fails or closes first. */
async function firstChunk(body: Readable): Promise<void> {
  if (body.readableLength > 0 || body.readableEnded || body.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = ['readable', 'end', 'close', 'error'];
  const done = (): void => resolve();
  for (const event of events) body.once(event, done);
  await promise;
  for (const event of events) body.off(event, done);
}
