/**
 * Lighthouse scores of the public pages on a slow phone: the built site served by the real site role, Debian's
 * Chromium, the mobile preset (4× slower processor, slow 4G), five runs of each page, the median of each score. It also
 * audits the accessibility of an open chat once, since that does not depend on the machine.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import lighthouse, { type Result } from 'lighthouse';
import { REPO_ROOT, startEngines } from '../harness/lib/engines.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startBrowser } from './lighthouse/browser.ts';
import { listLacking, auditChat } from './lighthouse/chat.ts';
import { startInbox } from '../harness/accounts/inbox.ts';

const WEB_ROOT = process.env['WEB_ROOT'] ?? join(REPO_ROOT, 'apps/web/build/client');
const PAGES = ['/', '/kz/about', '/ru/tutorials', '/sign-in'];
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const METRICS = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': 'TBT ms',
  'cumulative-layout-shift': 'CLS',
};
/** Measured without Google configured: nothing may disappear after it was drawn. */
const MOST_SHIFT = 0.005;
const RUNS = 5;
const MOST_TRIES = 3;
/**
 * A single run depends more on the machine than on the page: the short form only notices a page that is much slower.
 */
const SHORT_PERFORMANCE = 60;

type Category = keyof typeof GOALS;
type Metric = keyof typeof METRICS;

interface PageAudit {
  scores: Record<Category, number>;
  metrics: Record<Metric, number>;
  /** Lighthouse's benchmark of the machine; it throttles a machine of about 1,500 down to a phone. */
  machine: number;
  /** Audits that cost points. */
  lacking: string[];
  /** Errors in the browser's console. */
  complaints: string[];
}

await runProof({
  name: 'lighthouse',
  claim:
    'public pages reach 95 for speed and 100 for accessibility, good practice and search on a slow phone; ' +
    'a chat reaches 100 for accessibility',
  async run(report, { isShort }) {
    if (!existsSync(join(WEB_ROOT, 'site.json'))) throw new Error('run ./dev build first');
    await using engines = await startEngines({ name: 'lighthouse' });
    await using inbox = await startInbox('lighthouse');
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const env = { ...engines.env, ORIGIN: origin, LOG_LEVEL: 'warn', WEB_ROOT, SMTP_URL: inbox.smtpUrl };
    const log = join(REPO_ROOT, '.dev/log/proof-lighthouse.log');
    await using _site = await startRole({ roles: 'site,api,worker,gateway', port, env, log });

    if (isShort)
      report.say(
        `Short form: one run a page; performance is judged at ${SHORT_PERFORMANCE}, the other scores as in the long form.`,
      );
    for (const page of PAGES) {
      const looks: PageAudit[] = [];
      const runs = isShort ? 1 : RUNS;
      for (let run = 0; run < runs; run += 1) looks.push(await look(origin + page));
      for (const [category, fullGoal] of Object.entries(GOALS) as [Category, number][]) {
        const goal = isShort && category === 'performance' ? SHORT_PERFORMANCE : fullGoal;
        const score = median(looks.map(({ scores }) => scores[category]));
        report.figure(`${page} ${category}`, score);
        report.check(category, score >= goal, () => `${page}: ${score}, wanted ${goal}`);
      }
      for (const [metric, name] of Object.entries(METRICS) as [Metric, string][]) {
        report.figure(`${page} ${name}`, median(looks.map(({ metrics }) => metrics[metric])));
      }
      const shift = Math.max(...looks.map(({ metrics }) => metrics['cumulative-layout-shift']));
      report.check(
        'the layout shift is below the limit',
        shift < MOST_SHIFT,
        () => `${page}: ${shift}, wanted below ${MOST_SHIFT}`,
      );
      report.figure(`${page} benchmarkIndex`, median(looks.map(({ machine }) => machine)));
      const lacking = [...new Set(looks.flatMap((one) => one.lacking))];
      for (const complaint of looks.flatMap((one) => one.complaints)) report.say(`  ${page}: ${complaint}`);
      report.say(`${page}: ${looks.map(({ scores }) => scores.performance).join(' ')}; lacking: ${lacking.join(', ')}`);
    }
    for (const chat of await auditChat(origin, inbox)) {
      report.figure(`${chat.name} accessibility`, chat.score);
      report.check(
        'accessibility',
        chat.score >= GOALS.accessibility,
        () => `${chat.name}: ${chat.lacking.join(', ')}`,
      );
    }
  },
});

/** Repeats an audit whose trace lacks Chromium's marks: it has no figures and says nothing about the page. */
async function look(url: string): Promise<PageAudit> {
  for (let tries = 1; ; tries += 1) {
    const lhr = await audit(url);
    if (lhr.categories['performance']?.score !== null) return readAudit(lhr);
    const reasons = Object.keys(METRICS).map((metric) => lhr.audits[metric]?.errorMessage ?? metric);
    if (tries === MOST_TRIES)
      throw new Error(`Lighthouse could not measure ${url}: ${[...new Set(reasons)].join('; ')}`);
  }
}

/** Starts a new browser for each audit, so that nothing is cached. */
async function audit(url: string): Promise<Result> {
  await using browser = await startBrowser();
  const { port } = browser;
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: Object.keys(GOALS) });
  if (!result) throw new Error(`Lighthouse said nothing about ${url}`);
  return result.lhr;
}

function readAudit(lhr: Result): PageAudit {
  const { categories, audits, environment } = lhr;
  return {
    scores: mapKeys(GOALS, (category) => Math.round((categories[category]?.score ?? 0) * 100)),
    metrics: mapKeys(METRICS, (metric) => audits[metric]?.numericValue ?? 0),
    machine: environment.benchmarkIndex,
    lacking: listLacking(lhr),
    complaints: listComplaints(audits['errors-in-console']?.details),
  };
}

function listComplaints(details: unknown): string[] {
  const { items = [] } = (details ?? {}) as { items?: { description?: string; sourceLocation?: { url?: string } }[] };
  return items.map(({ description, sourceLocation }) => `${description ?? ''} (${sourceLocation?.url ?? ''})`);
}

function mapKeys<K extends string>(keys: Record<K, unknown>, valueOf: (key: K) => number): Record<K, number> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, valueOf(key as K)])) as Record<K, number>;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
