/** When a goal is missed: who used the processor, and on what. */
import { join } from 'node:path';
import type { Report } from '../../harness/lib/report.ts';
import { formatTable } from '../../harness/lib/table.ts';
import type { House } from '../../harness/load/house.ts';
import { readProcessorTime } from '../../harness/load/processor-time.ts';
import { startTown } from '../../harness/load/town.ts';
import { WINDOW } from './measure.ts';
import { listTopFunctions } from './profile.ts';

const SECONDS = 8;
const FUNCTIONS = 20;

export async function nameLimit(report: Report, house: House, folder: string): Promise<void> {
  report.say('\nThe whole path once more, looked at from inside.');
  const micros = await measureShares(house, folder);
  report.say(
    `\nProcessor time per message, µs\n${formatTable(Object.entries(micros).map(([name, each]) => [name, Math.round(each)]))}`,
  );
  for (const role of ['api', 'gateway']) {
    const top = await listTopFunctions(join(folder, `${role}.cpuprofile`), FUNCTIONS);
    report.say(`\nThe ${role}, % of its own busy time\n${formatTable(top)}`);
  }
}

async function measureShares(house: House, folder: string): Promise<Record<string, number>> {
  const options = {
    name: 'throughput',
    people: house.people.slice(0, house.people.length / 2),
    connections: WINDOW,
    profiles: folder,
  };
  await using town = await startTown(house, options);
  const { api, gateway, worker, load } = town;
  const roots = {
    postgres: house.engines.directory.pid,
    api: api.pid,
    gateway: gateway.pid,
    'load generator': load.pid,
    nats: house.engines.nats[0]!.pid,
    worker: worker.pid,
  };
  await load.run({ warmSeconds: 0, seconds: SECONDS, rate: 0 });
  const before = readProcessorTime(roots);
  const { arrived } = await load.run({ warmSeconds: 0, seconds: SECONDS, rate: 0 });
  const after = readProcessorTime(roots);
  const names = Object.keys(roots);
  return Object.fromEntries(names.map((name) => [name, ((after[name]! - before[name]!) / arrived) * 1e6]));
}
