/** Whether the installation is well, and its most important figures. */
import { AppError } from '@dostar/protocol/errors';
import { productVersion } from '@dostar/protocol/product';
import type { CheckResult } from '../cli/doctor/run-checks.ts';
import type { Context } from '../context.ts';
import { sumStorage } from '../features/messaging/attachments/service.ts';
import { listOpenReports } from '../features/people/reports/service.ts';
import { readStats } from '../features/operations/public-stats/service.ts';
import { formatBytes, formatCount, formatTime } from './format.ts';
import type { HealthReport, HealthReports } from './health.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ConsoleHttp } from './http.ts';

/** Counted up to this. */
const MAX_REPORTS = 100;
const SIGN_UPS = { open: 'Open to everyone', invite: 'By invite', closed: 'By your invite' };

export function addOverviewRoutes(http: ConsoleHttp, ctx: Context, health: HealthReports): void {
  http.add({
    method: 'GET',
    path: '/console',
    auth: 'session',
    handle: async () => ({ title: 'Overview', body: await describeInstallation(ctx, await health.read()) }),
  });
  http.add({
    method: 'POST',
    path: '/console/check',
    auth: 'session',
    async handle() {
      await health.check();
      return '/console';
    },
  });
}

async function describeInstallation(ctx: Context, report: HealthReport | undefined): Promise<Html> {
  const [stats, stored, reports] = await Promise.all([
    ifAvailable(readStats(ctx)),
    ifAvailable(sumStorage(ctx)),
    ifAvailable(listOpenReports(ctx, MAX_REPORTS)),
  ]);
  const { signUps, signUpDomains, blobQuotaTotalBytes: limit } = ctx.policy;
  const domains = signUpDomains.length === 0 ? 'all email domains' : `addresses of ${signUpDomains.join(', ')}`;
  return html`${describeHealth(report)}
    <div class="cards">
      ${card('Accounts', stats && formatCount(stats.users), `${formatCount(stats?.verified ?? 0)} with a verified address`)}
      ${card('Sign-ups', SIGN_UPS[signUps], domains)}
      ${card('Storage', stored === undefined ? undefined : formatBytes(stored), limit === undefined ? 'no limit is set' : `of ${formatBytes(limit)}`)}
      ${card('Reports', reports && countReports(reports.length), 'open')}
    </div>
    <p class="muted">Version ${productVersion} at ${ctx.origin}</p>`;
}

/** A database that is down must not hide what the doctor finds. */
async function ifAvailable<T>(figure: Promise<T>): Promise<T | undefined> {
  try {
    return await figure;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

function countReports(count: number): string {
  return count < MAX_REPORTS ? formatCount(count) : `${MAX_REPORTS} or more`;
}

/** `value`: undefined if a database does not answer. */
function card(name: string, value: string | undefined, detail: string): Html {
  return html`<section class="card">
    <h2 class="muted">${name}</h2>
    <p class="figure">${value ?? '–'}</p>
    <p class="muted">${value === undefined ? 'not available' : detail}</p>
  </section>`;
}

function describeHealth(report: HealthReport | undefined): Html {
  const again = html`<form method="post" action="/console/check"><button>Check now</button></form>`;
  if (!report) {
    return html`<section class="card">
      <h2>Health</h2>
      <p>The checks take a while. Load this page again in a few seconds.</p>
    </section>`;
  }
  const problems = report.results.flatMap(({ part, findings = [] }) => findings.map((each) => ({ part, ...each })));
  const verdict =
    problems.length === 0
      ? html`<p class="state ok">Nothing is wrong.</p>`
      : html`<p class="state problem">${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}</p>
          ${problems.map(({ part, problem, remedy }) => html`<p><b>${part}</b>: ${problem}.<br /><span class="muted">To do: ${remedy}.</span></p>`)}`;
  return html`<section class="card">
    <h2>Health</h2>
    ${verdict}
    <p class="muted">${listParts(report.results)} Checked at ${formatTime(report.at)}.</p>
    ${again}
  </section>`;
}

function listParts(results: CheckResult[]): string {
  const well = results.filter(({ findings }) => findings?.length === 0).map(({ part }) => part);
  const skipped = results.filter(({ findings }) => !findings).map(({ part, skipped: why = '' }) => `${part} (${why})`);
  const unchecked = skipped.length === 0 ? '' : ` Not checked: ${skipped.join(', ')}.`;
  return `Without problems: ${well.join(', ')}.${unchecked}`;
}
