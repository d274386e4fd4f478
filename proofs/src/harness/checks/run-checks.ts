/** Runs checks of the encrypted core against real servers, then each of them again without the safeguard that it tests. */
import type { Change } from '@dostar/client/testing/change';
import { changesWithout, type Safeguard } from '@dostar/client/testing/safeguards';
import type { Arguments } from '../lib/arguments.ts';
import { forAll } from '../lib/for-all.ts';
import type { Report } from '../lib/report.ts';
import { startServers, type Servers } from '../lib/servers.ts';
import { formatTable } from '../lib/table.ts';
import { raisePriority } from '../load/priority.ts';
import { openCluster } from '../accounts/cluster.ts';
import { startInbox } from '../accounts/inbox.ts';
import { loadSabotagedClient } from '../sabotage/client.ts';
import { startSabotagedServer } from './sabotaged-server.ts';
import { Refuted, type CheckEnvironment, CheckRun } from './check-run.ts';

type Checks<N extends string> = Record<N, (checkRun: CheckRun) => Promise<void>>;

export interface Variant<N extends string> {
  /** The check that must notice. */
  check: N;
  /** Safeguards left out of the client. */
  without?: readonly Safeguard[];
  /** Other changes to the client's source. */
  client?: Change[];
  server?: Change[];
  isWithoutLocks?: true;
}

interface CheckSuite<N extends string> {
  name: string;
  checks: Checks<N>;
  variants: Record<string, Variant<N>>;
}

const SETTINGS = { fsync: 'off' };
const ROLES = ['api,gateway', 'api,gateway,worker'];
/** How long a check waits for what its claim says will happen. */
const TIMEOUT_MS = 90_000;
/** How long it watches for what must not happen: longer than a message takes to be decrypted. */
const WATCH_MS = 1_500;
/** Added to both limits of a check without its safeguard, beside a multiple of the slowest wait with the safeguard. */
const EXTRA_WAIT_MS = 8_000;
const WAIT_FACTOR = 4;
/** The crypto engines share one core, so more checks at once would not end sooner. */
const CHECKS_AT_ONCE = 3;
const VARIANTS_AT_ONCE = 4;
/** Characters of a failure in the table. */
const SHOWN = 160;

export async function runChecks<N extends string>(
  { name, checks, variants }: CheckSuite<N>,
  report: Report,
  { isIntact, without }: Arguments,
): Promise<void> {
  using _ = raisePriority();
  await using inbox = await startInbox(name);
  const env = { SMTP_URL: inbox.smtpUrl };
  await using servers = await startServers({ name, settings: SETTINGS, roles: ROLES, env });
  const intact: CheckEnvironment = {
    ctx: servers.ctx,
    cluster: openCluster(servers.ctx, servers.processes),
    inbox,
    without: [],
    program: undefined,
    isWithoutLocks: false,
  };
  const chosen = Object.entries(variants).filter(([variant]) => without === undefined || variant === without);
  const wanted = new Set(chosen.map(([, { check }]) => check));
  const names = (Object.keys(checks) as N[]).filter((check) => without === undefined || wanted.has(check));
  const slowestByCheck = await proveChecksHold(report, intact, checks, names);
  if (!isIntact) await proveDetected(report, servers, intact, checks, chosen, slowestByCheck);
}

/** Returns the slowest wait of each check. */
async function proveChecksHold<N extends string>(
  report: Report,
  environment: CheckEnvironment,
  checks: Checks<N>,
  names: N[],
): Promise<Map<N, number>> {
  const slowestByCheck = new Map<N, number>();
  await forAll(names, CHECKS_AT_ONCE, async (name) => {
    const begun = performance.now();
    const { slowestMs, failure } = await run(environment, checks[name], { patienceMs: TIMEOUT_MS, watchMs: WATCH_MS });
    slowestByCheck.set(name, slowestMs);
    report.say(`${seconds(performance.now() - begun)}  ${failure === undefined ? 'held' : 'FAILED'}  ${name}`);
    report.check('behaviours hold', failure === undefined, () => `${name}: ${describe(failure)}`);
  });
  return slowestByCheck;
}

async function proveDetected<N extends string>(
  report: Report,
  servers: Servers,
  intact: CheckEnvironment,
  checks: Checks<N>,
  variants: [string, Variant<N>][],
  slowestByCheck: Map<N, number>,
): Promise<void> {
  const rows: string[][] = [];
  await forAll(variants, VARIANTS_AT_ONCE, async ([name, variant]) => {
    await using environment = await sabotage(servers, intact, name, variant);
    const patienceMs = EXTRA_WAIT_MS + WAIT_FACTOR * (slowestByCheck.get(variant.check) ?? 0);
    // Without the safeguard the attack succeeds after an unknown time: on a busy machine a short watch would miss it.
    const { failure } = await run(environment, checks[variant.check], { patienceMs, watchMs: patienceMs });
    rows.push([`without ${name}`, variant.check, describe(failure).slice(0, SHOWN)]);
    // Only a refuted claim counts. Any other error does not show that the check noticed the attack.
    report.check(
      'the check fails without its safeguard',
      failure instanceof Refuted,
      () => `${name}: ${describe(failure)}`,
    );
  });
  report.say(`\n${formatTable(rows)}`);
}

async function sabotage(
  servers: Servers,
  intact: CheckEnvironment,
  name: string,
  { without = [], client = [], server, isWithoutLocks }: Variant<string>,
): Promise<CheckEnvironment & AsyncDisposable> {
  const changes = [...changesWithout(without), ...client];
  const program = changes.length > 0 ? await loadSabotagedClient(changes) : undefined;
  const started = server && (await startSabotagedServer(servers, name, server));
  const cluster = started ? openCluster(servers.ctx, [started]) : intact.cluster;
  return {
    ...intact,
    cluster,
    without,
    program,
    isWithoutLocks: isWithoutLocks === true,
    async [Symbol.asyncDispose]() {
      await started?.[Symbol.asyncDispose]();
    },
  };
}

async function run(
  environment: CheckEnvironment,
  check: (checkRun: CheckRun) => Promise<void>,
  waits: { patienceMs: number; watchMs: number },
): Promise<{ slowestMs: number; failure: unknown }> {
  const checkRun = new CheckRun(environment, waits);
  let failure: unknown;
  try {
    await check(checkRun);
  } catch (error) {
    failure = error;
  }
  await checkRun[Symbol.asyncDispose]();
  return { slowestMs: checkRun.slowestMs, failure };
}

function describe(failure: unknown): string {
  if (failure === undefined) return 'not noticed';
  if (failure instanceof Refuted) return `noticed: not ${failure.message}`;
  return failure instanceof Error ? (failure.stack ?? failure.message) : 'a value that is not an Error was thrown';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
