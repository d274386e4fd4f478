/** When a goal is missed, prints which processes used the processor, and in which functions. */
import { join } from 'node:path';
import type { Report } from '../../harness/lib/report.ts';
import { formatTable } from '../../harness/lib/table.ts';
import type { LoadFixture } from '../../harness/load/load-fixture.ts';
import { readProcessorTime } from '../../harness/load/processor-time.ts';
import { startDeployment } from '../../harness/load/deployment.ts';
import { WINDOW } from './measure.ts';
import { listTopFunctions } from './profile.ts';

const SECONDS = 8;
const FUNCTIONS = 20;

export async function nameLimit(report: Report, loadFixture: LoadFixture, folder: string): Promise<void> {
  report.say('\nThe whole path once more, looked at from inside.');
  const micros = await measureShares(loadFixture, folder);
  report.say(
    `\nProcessor time per message, µs\n${formatTable(Object.entries(micros).map(([name, each]) => [name, Math.round(each)]))}`,
  );
  for (const role of ['api', 'gateway']) {
    const top = await listTopFunctions(join(folder, `${role}.cpuprofile`), FUNCTIONS);
    report.say(`\nThe ${role}, % of its own busy time\n${formatTable(top)}`);
  }
}

async function measureShares(loadFixture: LoadFixture, folder: string): Promise<Record<string, number>> {
  const options = {
    name: 'throughput',
    people: loadFixture.people.slice(0, loadFixture.people.length / 2),
    connections: WINDOW,
    profiles: folder,
  };
  await using deployment = await startDeployment(loadFixture, options);
  const { api, gateway, worker, load } = deployment;
  const roots = {
    postgres: loadFixture.engines.directory.pid,
    api: api.pid,
    gateway: gateway.pid,
    'load generator': load.pid,
    nats: loadFixture.engines.nats[0]!.pid,
    worker: worker.pid,
  };
  await load.run({ warmSeconds: 0, seconds: SECONDS, rate: 0 });
  const before = readProcessorTime(roots);
  const { arrived } = await load.run({ warmSeconds: 0, seconds: SECONDS, rate: 0 });
  const after = readProcessorTime(roots);
  const names = Object.keys(roots);
  return Object.fromEntries(names.map((name) => [name, ((after[name]! - before[name]!) / arrived) * 1e6]));
}
