/** Reports of people by people. Messages stay encrypted; a note is text that the reporter chose to write. */
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
    help: 'list the newest open reports: id, time, reason, reported account, reporter, note',
    args: z.tuple([Count.default(50)]).or(z.tuple([]).transform((): [number] => [50])),
    audit: 'words',
    async run(ctx, [count]) {
      const reports = await listOpenReports(ctx, count);
      return reports.length === 0 ? 'no reports' : reports.map(describeReport).join('\n');
    },
  }),
  define({
    usage: 'reports show REPORT',
    help: 'show one report, and how often the same account was reported',
    args: z.tuple([ReportId]),
    audit: 'words',
    async run(ctx, [id], { about }) {
      const report = await requireReport(ctx, id);
      await about(report.subject);
      const others = (await listReportsOf(ctx, report.subject)).filter((other) => other.id !== id);
      const disabledAt = await findDisabledAt(ctx, report.subject);
      return [
        describeReport(report),
        `  of ${(await findUsername(ctx, report.subject)) ?? 'a deleted account'}, by ${(await findUsername(ctx, report.owner)) ?? 'a deleted account'}`,
        `  ${others.length} other reports of the same account; it is ${disabledAt === undefined ? 'not disabled' : 'disabled'}`,
        report.closedAt === null ? '  open' : `  closed ${new Date(report.closedAt).toISOString()}`,
      ].join('\n');
    },
  }),
  define({
    usage: 'reports close REPORT [NOTE]',
    help: 'close a report; the note goes to the audit log',
    args: z.tuple([ReportId], z.string()),
    audit: 'words',
    async run(ctx, [id], { about }) {
      const report = await requireReport(ctx, id);
      await about(report.subject);
      return (await closeReport(ctx, report)) ? 'closed' : 'already closed';
    },
  }),
];

async function requireReport(ctx: Context, id: string): Promise<Report> {
  const report = await findReport(ctx, id);
  if (!report) throw new Error('no report has that id');
  return report;
}

function describeReport({ id, at, owner, subject, reason, note }: Report): string {
  const head = `${id}  ${new Date(at).toISOString()}  ${reason.padEnd(13)}  of ${subject}  by ${owner}`;
  return note === null ? head : `${head}\n  ${oneLine(note)}`;
}
