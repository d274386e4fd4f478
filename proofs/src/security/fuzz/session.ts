/** One run: starts servers with inspectors, sends the inputs, and checks all claims. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPushService } from '../../../../apps/server/test/push-service.ts';
import { Checks } from '../isolation/checks.ts';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import { startServers } from '../../harness/lib/servers.ts';
import { readPublicKey } from '../../durability/push/public-key.ts';
import type { Change } from '@dostar/client/testing/change';
import { sabotagedServer } from '../../harness/sabotage/server.ts';
import { listApiTargets } from './api-targets.ts';
import { CLAIMS, LEAST_REACHED, MAX_GROWTH } from './claims.ts';
import { listFrameTargets } from './frame-targets.ts';
import type { FrameTarget } from './frame-targets.ts';
import { BATCH, Fuzzer, markerOf } from './fuzzer.ts';
import { INSPECTED, ProcessProbe } from './process-probe.ts';
import { randomFor, shuffle } from './random.ts';
import type { RouteTally } from './route-tally.ts';
import { readLog } from './read-log.ts';
import { DEFINITION } from './service-definition.ts';
import { listServiceTargets } from './service-targets.ts';
import type { Target } from './target.ts';
import { UNSUCCESSFUL } from './unsuccessful.ts';

const FOLDER = join(REPO_ROOT, '.dev/proofs/fuzz');
const ROLES = ['api', 'gateway'] as const;

/** Limits count but refuse nothing: otherwise most inputs would end there. `./dev prove limits` tests limits. */
const WITHOUT_LIMITS: Change = {
  file: 'platform/concurrency/rate-limits.ts',
  phrase: 'const [own, ...wider] = widen(limit, key);',
  replacement: 'const [own, ...wider] = widen({ ...limit, points: 1e9 }, key);',
};

const FIGURES = {
  succeeded: 'inputs that succeeded',
  reached: 'inputs that reached their handler',
  denied: 'inputs answered 403 or 404, not counted as reached',
} as const;

/** Cheap password hashes: at full cost they would take a third of the run. Other tests check that cost. */
const CHEAP_HASHES: Change[] = [
  {
    file: 'features/identity/second-factors/recovery-codes.ts',
    phrase: 'memory: 19_456, passes: 2',
    replacement: 'memory: 64, passes: 1',
  },
  {
    file: 'appwrite/accounts/passwords.ts',
    phrase: 'semaphore.run(() => hash(password))',
    replacement: 'semaphore.run(() => hash(password, { memoryCost: 64, timeCost: 1 }))',
  },
];

interface SessionOptions {
  inputs: number;
  seed: number;
  changes?: Change[];
  isStallJudged: boolean;
  /** How many batches to check again among those sent before the median of their route was known. */
  earlyBatches: number;
  /** Only these routes, without trying valid inputs first. */
  routes?: string[] | undefined;
}

export interface Outcome {
  checks: Checks;
  tallies: Map<string, RouteTally>;
  figures: Record<string, number>;
  /** The answers of the routes whose valid inputs were refused. */
  refusals: Map<string, string>;
}

export async function runSession(options: SessionOptions): Promise<Outcome> {
  const { inputs, seed, changes = [] } = options;
  mkdirSync(FOLDER, { recursive: true });
  const service = join(FOLDER, 'service.json');
  writeFileSync(service, JSON.stringify(DEFINITION));
  await using push = await startPushService(readPublicKey);
  const authority = join(FOLDER, 'authority.pem');
  writeFileSync(authority, push.certificate);
  const { entry, env } = sabotagedServer([WITHOUT_LIMITS, ...CHEAP_HASHES, ...changes]);
  await using servers = await startServers({
    name: 'fuzz',
    settings: { fsync: 'off' },
    roles: [...ROLES],
    env: {
      APPWRITE_CONFIG_FILE: service,
      BLOBS_DIR: join(FOLDER, 'blobs'),
      LOG_LEVEL: 'debug',
      PUSH_HOSTS: push.origin,
      NODE_EXTRA_CA_CERTS: authority,
    },
    program: { entry, env: { ...env, ...INSPECTED } },
  });
  const logs = ROLES.map((role, at) => join(servers.logFolder, `${at}-${role}.log`));
  using api = await ProcessProbe.open(logs[0]!);
  using gateway = await ProcessProbe.open(logs[1]!);
  const checks = new Checks();
  using fuzzer = await Fuzzer.open({
    ctx: servers.ctx,
    urls: { api: servers.processes[0]!.url, gateway: servers.processes[1]!.url },
    addSubscription: () => push.addBrowser().subscription,
    probes: { api, gateway },
    checks,
    seed,
    isStallJudged: options.isStallJudged,
  });
  const figures: Record<string, number> = {};
  const refusals = new Map<string, string>();
  try {
    if (!options.routes) await tryValidInputs(fuzzer, checks, refusals);
    const targets = (await listTargets()).filter(({ name }) => options.routes?.includes(name) ?? true);
    await sendInputs(fuzzer, targets, inputs / 10, seed);
    const before = [await api.readMemory(), await gateway.readMemory()];
    await sendInputs(fuzzer, targets, inputs, seed);
    await fuzzer.judgeEarly(options.earlyBatches);
    const after = [await api.readMemory(), await gateway.readMemory()];
    for (const [at, role] of ROLES.entries()) {
      figures[`MB of the ${role} after a tenth`] = before[at]!;
      figures[`MB of the ${role} at the end`] = after[at]!;
      const growth = after[at]! / before[at]!;
      checks.that(CLAIMS.memory, growth <= MAX_GROWTH, () => `${role}: ${growth.toFixed(2)} times`);
    }
    for (const { url } of servers.processes) checks.that(CLAIMS.process, (await fetch(`${url}/healthz`)).ok, () => url);
  } catch (error) {
    // The server process is gone, so nothing more can be sent; earlier findings count.
    checks.that(CLAIMS.process, false, () => (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
  for (const log of logs)
    figures['log lines'] = (figures['log lines'] ?? 0) + (await readLog(log, markerOf(seed), checks));
  checkReached(fuzzer, checks);
  figures['inputs'] = fuzzer.sent;
  const tallies = [...fuzzer.tallies.values()];
  for (const kind of ['succeeded', 'reached', 'denied'] as const)
    figures[FIGURES[kind]] = tallies.reduce((sum, tally) => sum + tally[kind], 0);
  figures['test accounts replaced'] = fuzzer.replaced;
  figures['most expensive input / median of its route'] = fuzzer.worstCost;
  if (options.isStallJudged) figures['longest stall in ms'] = fuzzer.worstStallMs;
  return { checks, tallies: fuzzer.tallies, figures, refusals };
}

async function tryValidInputs(fuzzer: Fuzzer, checks: Checks, refusals: Map<string, string>): Promise<void> {
  for (const target of [...(await listApiTargets()), ...listServiceTargets()]) {
    const isExplained = UNSUCCESSFUL.has(target.name);
    const refusal = await fuzzer.tryValid(target, isExplained ? 1 : 2);
    if (refusal !== undefined) refusals.set(target.name, refusal);
    checks.that(CLAIMS.valid, isExplained === (refusal !== undefined), () => {
      return `${target.name}: ${refusal ?? 'succeeds, though unsuccessful.ts lists it'}`;
    });
  }
}

async function listTargets(): Promise<(Target | FrameTarget)[]> {
  return [...(await listApiTargets()), ...listServiceTargets(), ...listFrameTargets()];
}

/** Sends rounds over all routes, each round in another order, until `inputs` have been sent in total. */
async function sendInputs(
  fuzzer: Fuzzer,
  targets: (Target | FrameTarget)[],
  inputs: number,
  seed: number,
): Promise<void> {
  while (fuzzer.sent + BATCH <= inputs) {
    for (const target of shuffle(randomFor(seed, -2 - fuzzer.sent), targets)) {
      if (fuzzer.sent + BATCH > inputs) return;
      await fuzzer.sendBatch(target);
    }
  }
}

function checkReached({ tallies, sent }: Fuzzer, checks: Checks): void {
  const reached = [...tallies.values()].reduce((sum, tally) => sum + tally.reached, 0);
  checks.that(CLAIMS.reached, reached >= sent * LEAST_REACHED, () => `${reached} of ${sent}`);
}
