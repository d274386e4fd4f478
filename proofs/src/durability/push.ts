// Each device gets one push without private data, at nearly the rate of bare requests.
// With --without NAME one safeguard is left out of the server, and the claim is that this proof notices.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFcmService } from '../../../apps/server/test/fcm-service.ts';
import { Checks } from '../security/isolation/checks.ts';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import type { Servers } from '../harness/lib/servers.ts';
import { median } from '../harness/load/statistics.ts';
import { insertPushTargets } from './push/push-targets.ts';
import { runRound } from './push/fan-out.ts';
import { checkKill } from './push/kill.ts';
import { readPublicKey } from './push/public-key.ts';
import { checkDelivery } from './push/check-delivery.ts';
import type { Services } from './push/check-delivery.ts';
import { startService } from './push/service.ts';
import { VARIANT_NAMES, VARIANTS } from './push/variants.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';

const SETTINGS = { fsync: 'off' };
const GOAL = { atLeast: 0.7 };
/** Lower than `GOAL`: the short form has few pushes, and its rounds are too short for the strict limit. */
const GOAL_SHORT = { atLeast: 0.4 };
const LONG = { subscriptions: 10_000, rounds: 3, killed: 1_000 };
const SHORT = { subscriptions: 400, rounds: 3, killed: 100 };

await runProof({
  name: 'push',
  claim: 'each device gets one push without private data, at 0.7 of the rate of bare requests or more',
  variants: VARIANT_NAMES,
  async run(report, { isShort, without }) {
    using service = await startService(readPublicKey());
    const folder = join(REPO_ROOT, '.dev/proofs/push');
    mkdirSync(folder, { recursive: true });
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, service.certificate);
    await using fcm = await startFcmService();
    const firebase = { FCM_URL: fcm.url, FCM_CREDENTIALS: fcm.credentials };
    const env = { ...firebase, PUSH_HOSTS: service.origin, NODE_EXTRA_CA_CERTS: authority };
    const roles = ['api', 'worker', 'gateway'];
    // The api sends test pushes and the worker all others; both have to trust the push service.
    await using servers = await startServers({ name: 'push', settings: SETTINGS, env, roles });
    if (without === undefined) await proveIntact(servers, { service, fcm }, report, isShort);
    const variants = without === undefined ? (isShort ? [] : VARIANT_NAMES) : [without];
    for (const name of variants) await proveDetected(servers, { service, fcm }, report, name);
  },
});

async function proveIntact(servers: Servers, services: Services, report: Report, isShort: boolean): Promise<void> {
  const { service } = services;
  const { subscriptions, rounds, killed } = isShort ? SHORT : LONG;
  const checks = new Checks();
  await checkDelivery(servers, services, checks);
  report.figure('pushes repeated after a kill', await checkKill(servers, service, checks, killed));
  checks.tell(report);

  const members = await insertPushTargets(servers.ctx, await service.add(subscriptions));
  const measured = [];
  for (let n = 0; n <= rounds; n++) {
    const round = await runRound(servers.ctx, service, members);
    const note = n === 0 ? ' (to warm up)' : '';
    report.say(`round ${n}${note}: ${Math.round(round.ours)} pushes/s, ${Math.round(round.baseline)} bare requests/s`);
    if (n > 0) measured.push(round);
  }
  report.figure('subscriptions', subscriptions);
  report.figure('pushes per second', median(measured.map(({ ours }) => ours)));
  report.figure('bare requests per second', median(measured.map(({ baseline }) => baseline)));
  const ratio = median(measured.map(({ ours, baseline }) => ours / baseline));
  report.ratio('pushes / bare requests', ratio, isShort ? GOAL_SHORT : GOAL);
  const complaints = await service.complaints();
  report.check('the push service accepted every request', complaints.length === 0, () => complaints[0] ?? '');
}

async function proveDetected(servers: Servers, services: Services, report: Report, name: string): Promise<void> {
  const { what, changes, shows, where } = VARIANTS[name]!;
  await servers.restart(sabotagedServer(changes));
  const checks = new Checks();
  if (where === 'delivery') await checkDelivery(servers, services, checks);
  else await checkKill(servers, services.service, checks, SHORT.killed);
  const seen = shows.flatMap((kind) => checks.failed.get(kind) ?? []);
  report.say(`without ${name} (${what}): ${seen[0] ?? 'not noticed'}`);
  report.check('a server without the safeguard is noticed', seen.length > 0, () => name);
}
