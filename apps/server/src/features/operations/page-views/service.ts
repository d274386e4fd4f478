/**
 * How often pages are opened, by day and kind. Counted in the process and written every ten seconds; a crash loses those
 * seconds. Pages that a browser's service worker answers never reach the server and are not counted.
 */
import { randomInt } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import type { PageKind } from './kinds.ts';
import { addViews, deleteBefore, sumViews } from './store.ts';
import type { DayViews } from './store.ts';

export { kindOf, PAGE_KINDS } from './kinds.ts';

const DAY_MS = 24 * 3_600_000;
const FLUSH_EVERY_MS = 10_000;
const KEPT_DAYS = 400;
const SLOTS = 64;

interface Tally {
  slot: number;
  views: Map<string, number>;
}

const tallies = new WeakMap<Context, Tally>();

function tallyOf(ctx: Context): Tally {
  const known = tallies.get(ctx);
  if (known) return known;
  const made: Tally = { slot: randomInt(SLOTS), views: new Map() };
  tallies.set(ctx, made);
  return made;
}

export function countView(ctx: Context, kind: PageKind): void {
  const { views } = tallyOf(ctx);
  const key = `${dayOf(ctx.clock.now())} ${kind}`;
  views.set(key, (views.get(key) ?? 0) + 1);
  ctx.metrics.pageViews.inc({ kind });
}

export async function flushViews(ctx: Context): Promise<void> {
  const tally = tallyOf(ctx);
  const { slot, views } = tally;
  if (views.size === 0) return;
  tally.views = new Map();
  const rows = [...views].map(([key, count]) => {
    const [day = '', kind = ''] = key.split(' ');
    return { day, kind, slot, views: count };
  });
  try {
    await addViews(ctx.directory, rows);
  } catch (error) {
    for (const [key, count] of views) tally.views.set(key, (tally.views.get(key) ?? 0) + count);
    throw error;
  }
}

export function keepViews(ctx: Context): AsyncDisposable {
  const flushing = runPeriodically(FLUSH_EVERY_MS, ctx.log, 'write page views', () => flushViews(ctx));
  return {
    async [Symbol.asyncDispose]() {
      await flushing[Symbol.asyncDispose]();
      await flushViews(ctx);
    },
  };
}

/** The newest days first, today included. */
export async function listViews(ctx: Context, days: number): Promise<DayViews[]> {
  return sumViews(ctx.directory, dayOf(ctx.clock.now() - (days - 1) * DAY_MS));
}

export async function deleteOldViews(ctx: Context): Promise<void> {
  await deleteBefore(ctx.directory, dayOf(ctx.clock.now() - KEPT_DAYS * DAY_MS));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
