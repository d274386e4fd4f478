/** The newest entries of the audit log. */
import type { Context } from '../context.ts';
import { listNewestAuditEntries } from '../features/operations/audit-log/service.ts';
import { formatTime } from './format.ts';
import { html } from './html.ts';
import type { ConsoleHttp } from './http.ts';

const MAX_LISTED = 200;

export function addAuditLogRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({
    method: 'GET',
    path: '/console/audit-log',
    auth: 'session',
    async handle() {
      const entries = await listNewestAuditEntries(ctx, MAX_LISTED);
      const rows = entries.map(
        ({ at, operator, words, subject, outcome }) =>
          html`<tr>
            <td data-name="Time">${formatTime(at)}</td>
            <td data-name="Operator">${operator}</td>
            <td data-name="Command">${words}</td>
            <td data-name="Outcome" class="${outcome === 'done' ? 'ok' : 'problem'}">${outcome}</td>
            <td data-name="Account">${subject ?? '–'}</td>
          </tr>`,
      );
      return {
        title: 'Audit log',
        body: html`<p class="muted">
            The newest ${MAX_LISTED} entries, of the command line and of the console. An entry that reads “begun” was
            interrupted.
          </p>
          <section class="card">
            <table class="stack">
              <thead>
                <tr>
                  <th>Time</th>
                  <th>Operator</th>
                  <th>Command</th>
                  <th>Outcome</th>
                  <th>Account</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </section>`,
      };
    },
  });
}
