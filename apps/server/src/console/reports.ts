/** The queue of reports. Messages stay encrypted; a note is text that the reporter chose to write. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findUsername } from '../features/identity/usernames/service.ts';
import type { ConsoleSession } from '../features/operations/console-sessions/service.ts';
import { listOpenReports } from '../features/people/reports/service.ts';
import type { Report } from '../features/people/reports/service.ts';
import { formatTime } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ConsoleHttp } from './http.ts';
import type { Page } from './page.ts';
import { linkAccount, showNotice } from './parts.ts';
import type { Notice } from './parts.ts';
import { runCommand, runView } from './run-command.ts';

const PATH = '/console/reports';
const MAX_LISTED = 50;

interface NamedReport extends Report {
  subjectName: string | undefined;
  ownerName: string | undefined;
}

export function addReportRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({ method: 'GET', path: PATH, auth: 'session', handle: ({ session }) => showReports(ctx, session) });
  http.add({
    method: 'POST',
    path: `${PATH}/close`,
    auth: 'session',
    async handle({ session, form }) {
      const note = form.get('note')?.trim() ?? '';
      const words = ['reports', 'close', z.uuid().parse(form.get('report')), ...(note === '' ? [] : [note])];
      const { isDone, text } = await runCommand(ctx, session, words);
      return showReports(ctx, session, { isDone, text: isDone ? `The report is ${text}.` : text });
    },
  });
}

async function showReports(ctx: Context, session: ConsoleSession, notice?: Notice): Promise<Page> {
  const reports = await runView(ctx, session, 'reports list', async () => {
    const found = await listOpenReports(ctx, MAX_LISTED);
    return Promise.all(
      found.map(async (report) => ({
        ...report,
        subjectName: await findUsername(ctx, report.subject),
        ownerName: await findUsername(ctx, report.owner),
      })),
    );
  });
  return {
    title: 'Reports',
    body: html`${showNotice(notice)}
      ${reports.length === 0 ? html`<p class="card muted">No report is open.</p>` : reports.map(showReport)}
      <p class="muted">
        The newest ${MAX_LISTED} open reports. You can’t read the messages: they are encrypted. Open the reported
        account to see how often it was reported, or to disable it.
      </p>`,
  };
}

function showReport({ id, at, subject, owner, subjectName, ownerName, reason, note }: NamedReport): Html {
  return html`<section class="card">
    <h2>${reason}</h2>
    <dl>
      <dt>Reported</dt>
      <dd>${linkAccount(subject, subjectName)}</dd>
      <dt>By</dt>
      <dd>${linkAccount(owner, ownerName)}</dd>
      <dt>At</dt>
      <dd>${formatTime(at)}</dd>
      ${
        note === null
          ? undefined
          : html`<dt>The reporter’s note</dt>
              <dd>${note}</dd>`
      }
    </dl>
    <form class="row gap" method="post" action="${PATH}/close">
      <input type="hidden" name="report" value="${id}" />
      <label>Your note for the audit log (optional) <input name="note" maxlength="500" autocomplete="off" /></label>
      <button>Close the report</button>
    </form>
  </section>`;
}
