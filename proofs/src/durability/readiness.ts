// Behind HAProxy, dead engines and stopping processes cost only the users who need them; `--without NAME` shows that it matters.
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';
import { Checks } from '../security/isolation/checks.ts';
import { startBalancer } from './readiness/balancer.ts';
import { SCENES } from './readiness/scenes.ts';
import type { Fixture } from './readiness/scenes.ts';
import { VARIANT_NAMES, VARIANTS } from './readiness/variants.ts';

const ROLES = 'api,gateway,worker';
/** The default time limit of an installation, and a drain that is longer than HAProxy's two checks. */
const ENV = { DATABASE_TIMEOUT_MS: '4000', DRAIN_SECONDS: '5', LOG_LEVEL: 'info' };

await runProof({
  name: 'readiness',
  claim: 'behind a load balancer, dead engines and stopping processes cost only the users who need them',
  variants: VARIANT_NAMES,
  async run(report, { isIntact, isShort, without }) {
    await using servers = await startServers({ name: 'readiness', areApart: true, roles: [ROLES, ROLES], env: ENV });
    await using balancer = await startBalancer(servers.processes);
    const fixture = { servers, balancer };
    if (without === undefined) await proveIntact(fixture, report);
    const leavesOut = without === undefined && !isShort && !isIntact;
    for (const name of leavesOut ? VARIANT_NAMES : [without ?? []].flat()) await proveDetected(fixture, report, name);
  },
});

async function proveIntact(fixture: Fixture, report: Report): Promise<void> {
  for (const [name, play] of Object.entries(SCENES)) {
    const checks = new Checks();
    const { messages, slowestMs } = await play(fixture, checks);
    checks.tell(report);
    report.figure(`messages, ${name}`, messages);
    report.figure(`slowest message in seconds, ${name}`, slowestMs / 1_000);
  }
}

async function proveDetected(fixture: Fixture, report: Report, name: string): Promise<void> {
  const { what, changes, scene, shows } = VARIANTS[name]!;
  await fixture.servers.restart(sabotagedServer(changes));
  const checks = new Checks();
  await SCENES[scene](fixture, checks);
  const noticed = checks.failed.get(shows) ?? [];
  report.say(`without ${name} (${what}): ${noticed[0] ?? 'not noticed'}`);
  report.check('a server without the safeguard is noticed', noticed.length > 0, () => name);
}
