/**
 * The landing page's counters: approximate, and cheap on both sides.
 *
 * What happens is counted in the process and written every ten seconds; a crash loses those seconds and nothing else.
 * Visitors are answered from a value the process keeps for ten seconds, so a million of them cost one query.
 */
import { randomInt } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../context.ts';
import { every } from '../../platform/every.ts';
import { addStats, sumStats } from './store.ts';
import type { Stats } from './store.ts';

const FLUSH_EVERY_MS = 10_000;
const FRESH_FOR_MS = 10_000;
/** More rows than processes in a cell, and still one page to sum. */
const SLOTS = 256;

interface Tally {
  slot: number;
  counted: Stats;
  cached: { stats: Stats; at: number } | undefined;
  reading: Promise<Stats> | undefined;
}

const tallies = new WeakMap<Context, Tally>();

function tallyOf(ctx: Context): Tally {
  const known = tallies.get(ctx);
  if (known) return known;
  const made: Tally = { slot: randomInt(SLOTS), counted: nothing(), cached: undefined, reading: undefined };
  tallies.set(ctx, made);
  return made;
}

function nothing(): Stats {
  return { users: 0, messages: 0, verified: 0 };
}

export function count(ctx: Context, what: keyof Stats, change = 1): void {
  tallyOf(ctx).counted[what] += change;
}

export async function flushStats(ctx: Context): Promise<void> {
  const tally = tallyOf(ctx);
  const { counted } = tally;
  if (Object.values(counted).every((value) => value === 0)) return;
  tally.counted = nothing();
  try {
    await addStats(ctx.directory, tally.slot, counted);
  } catch (error) {
    for (const what of Object.keys(counted) as (keyof Stats)[]) tally.counted[what] += counted[what];
    throw error;
  }
}

/** With the directory away visitors see the last known numbers: nobody is sent away over a counter. */
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
  const flushing = every(FLUSH_EVERY_MS, ctx.log, 'write stats', () => flushStats(ctx));
  return {
    async [Symbol.asyncDispose]() {
      await flushing[Symbol.asyncDispose]();
      await flushStats(ctx);
    },
  };
}
