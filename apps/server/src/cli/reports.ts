/** The queue of reports of persons. Messages stay sealed; a note is what its writer chose to tell. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { closeReport, findReport, listOpenReports, listReportsOf } from '../features/people/reports/service.ts';
import type { Report } from '../features/people/reports/service.ts';
import { findDisabledAt } from '../features/identity/sessions/disabling.ts';
import { findUsername } from '../features/identity/usernames/service.ts';
import { define, oneLine } from './command.ts';

const Count = z.coerce.number().int().min(1).max(1_000);
const ReportId = z.uuid();

export const reportCommands = [
  define({
    usage: 'reports list [COUNT]',
    help: 'the newest open reports: number, when, why, of whom, by whom, and what they chose to tell',
    args: z.tuple([Count.default(50)]).or(z.tuple([]).transform((): [number] => [50])),
    audit: 'words',
    async run(ctx, [count]) {
      const reports = await listOpenReports(ctx, count);
      return reports.length === 0 ? 'no reports' : reports.map(describeReport).join('\n');
    },
  }),
  define({
    usage: 'reports show REPORT',
    help: 'one report, and what else is known of the person it is about',
    args: z.tuple([ReportId]),
    audit: 'words',
    async run(ctx, [id], { about }) {
      const report = await requireReport(ctx, id);
      await about(report.subject);
      const others = (await listReportsOf(ctx, report.subject)).filter((other) => other.id !== id);
      const disabledAt = await findDisabledAt(ctx, report.subject);
      return [
        describeReport(report),
        `  of ${(await findUsername(ctx, report.subject)) ?? 'nobody any more'}, by ${(await findUsername(ctx, report.owner)) ?? 'nobody any more'}`,
        `  ${others.length} other reports of the same person; they are ${disabledAt === undefined ? 'not disabled' : 'disabled'}`,
        report.closedAt === null ? '  open' : `  closed ${new Date(report.closedAt).toISOString()}`,
      ].join('\n');
    },
  }),
  define({
    usage: 'reports close REPORT [NOTE]',
    help: 'take a report from the queue; the note goes to the book of deeds',
    args: z.tuple([ReportId], z.string()),
    audit: 'words',
    async run(ctx, [id], { about }) {
      const report = await requireReport(ctx, id);
      await about(report.subject);
      return (await closeReport(ctx, report)) ? 'closed' : 'it was closed already';
    },
  }),
];

async function requireReport(ctx: Context, id: string): Promise<Report> {
  const report = await findReport(ctx, id);
  if (!report) throw new Error('there is no such report');
  return report;
}

function describeReport({ id, at, owner, subject, reason, note }: Report): string {
  const head = `${id}  ${new Date(at).toISOString()}  ${reason.padEnd(13)}  of ${subject}  by ${owner}`;
  return note === null ? head : `${head}\n  ${oneLine(note)}`;
}
