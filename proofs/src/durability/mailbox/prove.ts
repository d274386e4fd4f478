import { waitFor } from '@dostar/tools/servers';
import * as fc from 'fast-check';
import { makePendingCopies } from '../../../../apps/server/src/features/messaging/mailbox/jobs.ts';
import type { Engines } from '../../harness/lib/engines.ts';
import type { Report } from '../../harness/lib/report.ts';
import { Checks, describeViolations } from './checks.ts';
import { copyDatabases } from './databases.ts';
import { EngineLog } from './engine-log.ts';
import { describeHistory, histories } from './history.ts';
import type { History } from './history.ts';
import { openProcesses } from './processes.ts';
import type { Processes } from './processes.ts';
import { runHistory } from './run-history.ts';
import { Tally } from './tally.ts';
import { breakShards, VARIANTS } from './variants.ts';
import type { Variant } from './variants.ts';

/** How many histories may pass before the proof must notice a broken mailbox. */
const HISTORIES_TO_NOTICE = 200;

interface HistorySearch {
  counts: Map<string, number>;
  tally: Tally;
  /** True if pending copies were left after everything had settled. */
  hasPendingCopies: boolean;
  failure?: { error: string; history: History; after: number; shrinks: number; seconds: number };
}

export async function proveIntact(engines: Engines, report: Report, options: { histories: number; seed: number }) {
  report.say(`${options.histories} histories, seed ${options.seed}`);
  const { counts, tally, hasPendingCopies, failure } = await tryHistories(engines, {
    name: 'intact',
    shrinkMs: 30_000,
    ...options,
  });
  for (const [kind, made] of counts) report.count(kind, made);
  report.figure('histories', failure?.after ?? options.histories);
  for (const [what, times] of tally.counts) report.figure(what, times);
  if (failure) report.fail(`${failure.error}\n${describeHistory(failure.history)}`);
  report.check('no pending copy is left', !hasPendingCopies);
  const deadlocks = await engines.directory.sql(
    'postgres',
    "select sum(deadlocks) from pg_stat_database where datname like '%intact'",
  );
  report.check('PostgreSQL counts no deadlock', deadlocks === '0', () => deadlocks);
}

/** The next append deletes the pending copies that were made, or a timer does after a second. */
async function waitForPendingCopies({ all, shards }: Processes): Promise<boolean> {
  const areSettled = async (): Promise<boolean> => {
    await makePendingCopies(all[0]!, 0);
    const counts = await Promise.all(shards.map((client) => client.query('select from owed limit 1')));
    return counts.every(({ rowCount }) => rowCount === 0);
  };
  return waitFor(areSettled, { what: 'every pending copy to be made', everyMs: 300 }).catch(() => false);
}

export async function proveDetected(
  engines: Engines,
  report: Report,
  { variant, seed, shrinkMs }: { variant: Variant; seed: number; shrinkMs: number },
): Promise<void> {
  report.say(`\nwithout ${variant}: ${VARIANTS[variant].what}`);
  const { failure } = await tryHistories(engines, {
    name: variant,
    variant,
    histories: HISTORIES_TO_NOTICE,
    seed,
    shrinkMs,
  });
  report.check('a mailbox without the safeguard is noticed', failure !== undefined, () => variant);
  if (!failure) return;
  const { after, seconds, error, shrinks, history } = failure;
  report.figure(`without ${variant}: noticed after histories`, after);
  report.say(`  noticed in history ${after} after ${seconds.toFixed(1)} s, shrunk ${shrinks} times (seed ${seed}):`);
  report.say(`${error}\n${describeHistory(history)}`);
}

interface HistorySearchOptions {
  name: string;
  variant?: Variant;
  histories: number;
  seed: number;
  shrinkMs: number;
}

async function tryHistories(engines: Engines, options: HistorySearchOptions): Promise<HistorySearch> {
  const urls = await copyDatabases(engines, options.name.replaceAll('-', '_'));
  if (options.variant) await breakShards(urls.shards, options.variant);
  await using processes = await openProcesses(urls);
  const log = await EngineLog.open(engines.directory);
  const begun = performance.now();
  const tally = new Tally();
  const counts = new Map<string, number>();
  let failedAt = 0;

  const property = fc.asyncProperty(histories, async (history) => {
    // A failure is shrunk for a limited time; after that every smaller history counts as passed.
    if (failedAt > 0 && performance.now() - failedAt > options.shrinkMs) return;
    const checks = await runHistory(processes, history, failedAt > 0 ? new Tally() : tally).catch((error: unknown) => {
      const failed = new Checks();
      failed.that('a history ends', false, () => String(error instanceof Error ? error.stack : error));
      return failed;
    });
    const errors = log.takeErrors();
    checks.that('no deadlock', !errors.some((line) => line.includes('deadlock')), () => 'PostgreSQL found one');
    checks.that('no error in the log of PostgreSQL', errors.length === 0, () => errors.slice(0, 3).join('\n'));
    if (failedAt === 0) for (const [kind, made] of checks.counts) counts.set(kind, (counts.get(kind) ?? 0) + made);
    if (failedAt === 0) {
      tally.counts.set('hints', processes.bus.published);
      tally.counts.set('lost hints', processes.bus.lost);
    }
    const found = options.variant ? checks.only(VARIANTS[options.variant].shows) : checks.violations;
    if (found.length === 0) return;
    failedAt ||= performance.now();
    throw new Error(describeViolations(found));
  });

  const found = await fc.check(property, { numRuns: options.histories, seed: options.seed, unbiased: true });
  const search: HistorySearch = {
    counts,
    tally,
    hasPendingCopies: !options.variant && !(await waitForPendingCopies(processes)),
  };
  if (!found.failed) return search;
  const error = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
  const seconds = (failedAt - begun) / 1000;
  const [history] = found.counterexample!;
  return { ...search, failure: { error, history, after: found.numRuns, shrinks: found.numShrinks, seconds } };
}
