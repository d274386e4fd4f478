/** Many calls at once to processes that have just started: they queue for connections, and none is refused. */
import type { Report } from '../../harness/lib/report.ts';
import type { House } from '../../harness/load/house.ts';
import { startTown } from '../../harness/load/town.ts';
import { checkArrivals } from './measure.ts';

const PEOPLE = 100;
const CALLS_EACH = 8;
const STARTS = 3;

export async function checkBurst(report: Report, house: House): Promise<void> {
  const options = { name: 'throughput', people: house.people.slice(0, PEOPLE), connections: PEOPLE * CALLS_EACH };
  for (let start = 0; start < STARTS; start += 1) {
    await using town = await startTown(house, options);
    const load = await town.load.run({ warmSeconds: 0, seconds: 2, rate: 0 });
    checkArrivals(report, load);
    const { refused } = load.totals;
    report.check(`none of ${options.connections} first calls is refused`, refused === 0, () => `${refused} were`);
  }
}
