/** While 200 people write and every kind of process is killed with -9, every message arrives once and in order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engines, startEngines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { seededRandom } from '../harness/lib/seeded-random.ts';
import { injectFaults } from './walking/inject-faults.ts';
import type { NetworkFigures } from './walking/ledger.ts';
import { createAccounts } from './walking/accounts.ts';
import { countPendingCopies } from './walking/pending-copies.ts';
import { choosePlan, countMessages, type Plan, type Variant, VARIANTS } from './walking/plan.ts';
import { startProcesses } from './walking/processes.ts';
import { startSwarms, type Swarm } from './walking/start-swarm.ts';
import { openDetectionReport } from './walking/detection-report.ts';
import { type Check, verifyDevices, verifyShards } from './walking/verify.ts';

const ORIGIN = 'http://walking.test';
const LOOK_EVERY_MS = 250;
/** Share of the writing time with faults. During the rest all of NATS is down. */
const FAULT_SHARE = 0.85;
const GATEWAY_WITHOUT_RECONCILIATION = fileURLToPath(
  import.meta.resolve('./walking/gateway-without-reconciliation.ts'),
);
const SETTINGS = { max_connections: '100' };

// Two shards in separate clusters, two apis, two gateways, a worker and three NATS nodes, all real processes. With
// --without NAME one safeguard is left out, and the claim is that the same checks notice.
await runProof({
  name: 'walking',
  claim: 'while processes are killed, every acknowledged message arrives once and in order, and its sender has a copy',
  variants: VARIANTS,
  async run(report, { isShort, without, seed }) {
    const variant = without as Variant | undefined;
    const plan = choosePlan(isShort, variant);
    await using engines = await startEngines({ name: 'walking', areApart: true, natsNodes: 3, settings: SETTINGS });
    report.figure('seed', String(seed));
    report.figure('messages', countMessages(plan));
    report.figure('people', plan.people);
    const { check, conclude } = openDetectionReport(report, variant);
    await runUnderFaults(report, engines, { plan, variant, random: seededRandom(seed), check });
    conclude();
  },
});

interface FaultRunOptions {
  plan: Plan;
  variant: Variant | undefined;
  check: Check;
  random: () => number;
}

async function runUnderFaults(report: Report, engines: Engines, { plan, variant, random, check }: FaultRunOptions) {
  const people = await createAccounts(engines.env, plan);
  const env = { ...engines.env, ORIGIN, LOG_LEVEL: 'warn' };
  await using processes = await startProcesses(
    env,
    variant === 'comparison' ? GATEWAY_WITHOUT_RECONCILIATION : undefined,
  );
  const { apis, gateways, worker } = processes;
  const ports = { apis: apis.map(({ port }) => port), gateways: gateways.map(({ port }) => port) };
  const changesIdOnRetry = variant === 'idempotency';
  await using swarm = await startSwarms({ people, plan, ...ports, origin: ORIGIN, changesIdOnRetry });
  report.say(`${plan.people} devices are online`);

  const victims = { api: apis, gateway: gateways, worker: [worker], nats: engines.nats, shard: engines.shards };
  const written = swarm.write();
  const killed = await injectFaults(report, victims, {
    kinds: plan.faults,
    overMs: plan.writeMs * FAULT_SHARE,
    random,
  });
  report.say('kill -9 all nats nodes, until the last message is written and acknowledged');
  for (const node of engines.nats) node.signal('SIGKILL');
  await written;
  await untilAcknowledged(swarm, plan);
  await Promise.all(engines.nats.map((node) => node.restart()));
  report.say('every message is written and every process is running again');
  const settledMs = await settle(swarm, engines, plan);
  report.say(settledMs === undefined ? 'not all arrived' : `all arrived ${(settledMs / 1000).toFixed(1)} s later`);

  const { figures, shown } = await swarm.report();
  const { acknowledged } = figures;
  check('every message was acknowledged', acknowledged === countMessages(plan), () => `${acknowledged} were`);
  check('no device met a gap in its stream', (figures.endings['protocol'] ?? 0) === 0);
  check('no copy for a sender is pending', (await countPendingCopies(engines)) === 0);
  await verifyShards(engines.shards, people, plan, check);
  verifyDevices(shown, people, plan, check);
  killed.set('nats', (killed.get('nats') ?? 0) + engines.nats.length);
  for (const [kind, times] of killed) report.figure(`killed: ${kind}`, times);
  reportNetwork(report, figures, settledMs);
}

/** An acknowledged message is committed; losing its hint must not matter. */
async function untilAcknowledged(swarm: Swarm, plan: Plan): Promise<void> {
  const begun = performance.now();
  while ((await swarm.look()).acknowledged < countMessages(plan)) {
    if (performance.now() - begun > plan.settleMs) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until every message was acknowledged and received; returns undefined on timeout. */
async function settle(swarm: Swarm, engines: Engines, plan: Plan): Promise<number | undefined> {
  const begun = performance.now();
  const total = countMessages(plan);
  while (performance.now() - begun < plan.settleMs) {
    const { acknowledged, arrived, online } = await swarm.look();
    const hasArrived = acknowledged === total && arrived === total && online === plan.people;
    if (hasArrived && (await countPendingCopies(engines)) === 0) return performance.now() - begun;
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

function reportNetwork(report: Report, figures: NetworkFigures, settledMs: number | undefined): void {
  const latencies = figures.latencies.toSorted((a, b) => a - b);
  const quantile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  report.figure('latency p50, ms', quantile(0.5));
  report.figure('latency p99, ms', quantile(0.99));
  report.figure('latency at worst, ms', latencies.at(-1) ?? Number.NaN);
  report.figure('retries', figures.retries);
  report.figure('answers lost on the way', figures.lostAnswers);
  report.figure('reconnects', figures.reconnects);
  report.figure('longest without a socket, ms', figures.longestAway);
  report.figure('longest until answered, ms', figures.longestUnanswered);
  for (const [reason, times] of Object.entries(figures.endings)) report.figure(`conversations ended: ${reason}`, times);
  if (settledMs !== undefined) report.figure('settled after, ms', settledMs);
}
