/** The operator's queue of reports: who reported whom, and why. Messages stay encrypted; the note is the reporter's own text. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { findById, insertReport, listAbout, listOpen, setClosed } from './store.ts';
import type { NewReport, Report } from './store.ts';

export type { Report };

/** Beyond this an operator has to decide, not to read more. */
const MAX_PER_REPORTER = 1_000;

export async function reportAccount(ctx: Context, report: Omit<NewReport, 'at'>): Promise<void> {
  await requireHead(ctx, report.subject);
  const { owner } = report;
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(owner).write(owner, (db) => insertReport(db, { ...report, at: ctx.clock.now() })),
  );
}

/** The newest open reports of the whole installation. */
export async function listOpenReports(ctx: Context, limit: number): Promise<Report[]> {
  const found = await onAllShards(ctx, (db) => listOpen(db, limit));
  return found.toSorted((one, other) => other.at - one.at).slice(0, limit);
}

export async function listReportsOf(ctx: Context, subject: AccountId): Promise<Report[]> {
  return onAllShards(ctx, (db) => listAbout(db, subject, MAX_PER_REPORTER));
}

export async function findReport(ctx: Context, id: string): Promise<Report | undefined> {
  const found = await onAllShards(ctx, async (db) => [await findById(db, id)]);
  return found.find((report) => report !== undefined);
}

/** False if it was closed already. */
export async function closeReport(ctx: Context, report: Report): Promise<boolean> {
  const { owner } = report;
  const at = ctx.clock.now();
  return ctx.shards.withCurrentShard(() => ctx.shards.of(owner).write(owner, (db) => setClosed(db, report, at)));
}

/** A report is on its reporter's shard, so the operator's commands ask every shard. */
async function onAllShards<T>(ctx: Context, read: (db: ShardDb) => Promise<T[]>): Promise<T[]> {
  return (await Promise.all(ctx.shards.all().map((shard) => shard.query(read)))).flat();
}
