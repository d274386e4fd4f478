/** Every process is replaced by another version and back again while users write, without an error. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engines, shardName, startEngines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { choosePlan, type UpgradePlan, type Variant, VARIANTS } from './upgrade/plan.ts';
import { migrate, present, unpackPrevious, type Version } from './upgrade/previous.ts';
import { Processes } from './upgrade/processes.ts';
import type * as Accounts from '../durability/walking/accounts.ts';
import type { Person } from '../durability/walking/accounts.ts';
import { countPendingCopies } from '../durability/walking/pending-copies.ts';
import { countMessages } from '../durability/walking/plan.ts';
import type * as Swarms from '../durability/walking/start-swarm.ts';
import type { Swarm } from '../durability/walking/start-swarm.ts';
import { openDetectionReport } from '../durability/walking/detection-report.ts';
import { type Check, verifyDevices, verifyShards } from '../durability/walking/verify.ts';

const ORIGIN = 'http://upgrade.test';
const LOOK_EVERY_MS = 250;
/** A breaking migration: old processes, and new ones that start before it, still name the column. */
const BREAKING = 'alter table contact rename column state to standing';

// The previous version creates the databases, the people and the first processes. This version migrates under load;
// then one process after the other is replaced by it, and replaced again by the previous version.
await runProof({
  name: 'upgrade',
  claim: 'a rolling upgrade of every role, and back, loses, doubles and reorders no message, and every send succeeds',
  variants: VARIANTS,
  async run(report, { isShort, without, from }) {
    const variant = without as Variant | undefined;
    const plan = choosePlan(isShort, variant);
    const previous = await unpackPrevious(from);
    report.say(`from ${previous.name} to ${present.name}`);
    if (previous === present)
      report.say('No earlier version can be installed here: both versions are the present sources.');
    report.figure('from', previous.name);
    await using engines = await startEngines({ name: 'upgrade', migrate: (env) => migrate(previous, env) });
    const { check, conclude } = openDetectionReport(report, variant);
    await live(report, engines, { plan, variant, previous, check });
    conclude();
  },
});

interface Fixture {
  plan: UpgradePlan;
  variant: Variant | undefined;
  check: Check;
  previous: Version;
}

/** Users whose browsers run one version, whatever version the servers run. */
interface Deployment {
  people: Person[];
  swarm: Swarm;
}

async function live(report: Report, engines: Engines, { plan, variant, check, previous }: Fixture): Promise<void> {
  const { writing } = plan;
  await using stack = new AsyncDisposableStack();
  const env = { ...engines.env, ORIGIN, LOG_LEVEL: 'error' };
  const processes = stack.use(await Processes.start(env, previous));
  const deployments: Deployment[] = [];
  for (const version of [previous, present])
    deployments.push(await settleDeployment(stack, { version, previous, processes, env, plan }));
  report.say(`${2 * writing.people} devices are online, half of them with ${previous.name}`);

  const written = Promise.all(deployments.map(({ swarm }) => swarm.write()));
  // Prevents an unhandled rejection: the promise is awaited later, which reports the error.
  written.catch(() => {});
  await sleep(plan.pauseMs);
  await migrate(present, env);
  if (variant === 'expand')
    for (const [id, shard] of engines.shards.entries()) await shard.sql(shardName(id), BREAKING);
  report.say('the databases are migrated while the old processes run');
  for (const [version, words] of [
    [present, 'upgraded'],
    [previous, 'back again'],
  ] as const) {
    await sleep(plan.pauseMs);
    const begun = performance.now();
    const replaced = await processes.replace(version);
    check('every process was replaced', replaced === processes.size, () => `${replaced} were`);
    report.say(`${words}: ${replaced} processes in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  await written;
  await settle(deployments, engines, plan);
  for (const deployment of deployments) await verify(report, deployment, engines, plan, check);
  check('no copy for a sender is pending', (await countPendingCopies(engines)) === 0);
  report.figure('messages', 2 * countMessages(writing));
  report.figure('messages a second', (2 * countMessages(writing)) / (writing.writeMs / 1000));
}

interface Settling extends Pick<Fixture, 'plan' | 'previous'> {
  version: Version;
  processes: Processes;
  env: Record<string, string>;
}

/** The previous version creates the accounts, because the tables are still its own; browsers run `version`. */
async function settleDeployment(
  stack: AsyncDisposableStack,
  { version, previous, processes, env, plan }: Settling,
): Promise<Deployment> {
  const { accounts, createAccounts: name } = previous.layout;
  const createAccounts = (await load<Record<string, typeof Accounts.createAccounts>>(previous, accounts))[name]!;
  const { startSwarms } = await load<typeof Swarms>(version, 'start-swarm.ts');
  const people = await createAccounts(env, plan.writing);
  const ports = { apis: processes.portsOf('api'), gateways: processes.portsOf('gateway') };
  const setup = { people, plan: plan.writing, ...ports, origin: ORIGIN, changesIdOnRetry: false };
  return { people, swarm: stack.use(await startSwarms(setup)) };
}

async function load<Module>({ root, layout }: Version, file: string): Promise<Module> {
  return (await import(join(root, layout.folder, file))) as Module;
}

async function settle(deployments: Deployment[], engines: Engines, { writing }: UpgradePlan): Promise<void> {
  const total = countMessages(writing);
  const giveUpAt = performance.now() + writing.settleMs;
  while (performance.now() < giveUpAt) {
    const looks = await Promise.all(deployments.map(({ swarm }) => swarm.look()));
    const isOver = looks.every((look) => look.acknowledged === total && look.arrived === total);
    const isOnline = looks.every((look) => look.online === writing.people);
    if (isOver && isOnline && (await countPendingCopies(engines)) === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}

async function verify(
  report: Report,
  { people, swarm }: Deployment,
  engines: Engines,
  { writing }: UpgradePlan,
  check: Check,
) {
  const { figures, shown } = await swarm.report();
  const { acknowledged, endings } = figures;
  check('every send succeeded in the end', acknowledged === countMessages(writing), () => `${acknowledged} did`);
  check('no device met a gap in its stream', (endings['protocol'] ?? 0) === 0);
  check('no device was told that it is too old', (endings['version'] ?? 0) === 0);
  await verifyShards(engines.shards, people, writing, check);
  verifyDevices(shown, people, writing, check);
  const latencies = figures.latencies.toSorted((a, b) => a - b);
  report.figure('latency p99, ms', latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN);
  report.figure('sends tried again', figures.retries);
  report.figure('longest until answered, ms', figures.longestUnanswered);
  report.figure('longest without a socket, ms', figures.longestAway);
}
