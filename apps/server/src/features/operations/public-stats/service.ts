/**
 * The landing page's counters, cheap on both sides.
 *
 * Users and verified users follow the tables of accounts: the directory counts them in the transaction that changes them
 * (migrations/directory/0014), and the worker compares both every hour. Messages are counted in the process and written
 * every ten seconds; a crash loses those seconds and nothing else. Visitors are answered from a value the process keeps
 * for ten seconds, so a million of them cost one query.
 */
import { randomInt } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { addMessages, recountPeople, sumStats } from './store.ts';
import type { Stats } from './store.ts';

const FLUSH_EVERY_MS = 10_000;
const FRESH_FOR_MS = 10_000;
/** More rows than processes, and few enough to sum in one query. */
const SLOTS = 256;

interface Tally {
  slot: number;
  messages: number;
  cached: { stats: Stats; at: number } | undefined;
  reading: Promise<Stats> | undefined;
}

const tallies = new WeakMap<Context, Tally>();

function tallyOf(ctx: Context): Tally {
  const known = tallies.get(ctx);
  if (known) return known;
  const made: Tally = { slot: randomInt(SLOTS), messages: 0, cached: undefined, reading: undefined };
  tallies.set(ctx, made);
  return made;
}

export function countMessage(ctx: Context): void {
  tallyOf(ctx).messages += 1;
}

export async function flushStats(ctx: Context): Promise<void> {
  const tally = tallyOf(ctx);
  const { messages } = tally;
  if (messages === 0) return;
  tally.messages = 0;
  try {
    await addMessages(ctx.directory, tally.slot, messages);
  } catch (error) {
    tally.messages += messages;
    throw error;
  }
}

/** Corrects the counters of users if they differ from the tables: after a bug, an old version or a manual change. */
export async function reconcileStats(ctx: Context): Promise<void> {
  const { users, verified } = await recountPeople(ctx.directory);
  if (users !== 0 || verified !== 0) ctx.log.warn({ users, verified }, 'counters of the landing page corrected');
}

/** If the directory does not answer, visitors see the last known numbers. */
export async function readStats(ctx: Context): Promise<Stats> {
  const tally = tallyOf(ctx);
  const now = ctx.clock.now();
  if (tally.cached && now - tally.cached.at < FRESH_FOR_MS) return tally.cached.stats;
  tally.reading ??= sumStats(ctx.directory).finally(() => {
    tally.reading = undefined;
  });
  try {
    const stats = await tally.reading;
    tally.cached = { stats, at: now };
    return stats;
  } catch (error) {
    if (tally.cached) return tally.cached.stats;
    throw new AppError('unavailable', undefined, { cause: error });
  }
}

export function keepStats(ctx: Context): AsyncDisposable {
  const flushing = runPeriodically(FLUSH_EVERY_MS, ctx.log, 'write stats', () => flushStats(ctx));
  return {
    async [Symbol.asyncDispose]() {
      await flushing[Symbol.asyncDispose]();
      await flushStats(ctx);
    },
  };
}
