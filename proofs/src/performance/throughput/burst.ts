/** Many concurrent calls to processes that have just started queue for connections, and none is refused. */
import type { Report } from '../../harness/lib/report.ts';
import type { LoadFixture } from '../../harness/load/load-fixture.ts';
import { startDeployment } from '../../harness/load/deployment.ts';
import { checkArrivals } from './measure.ts';

const PEOPLE = 100;
const CALLS_EACH = 8;
const STARTS = 3;

export async function checkBurst(report: Report, loadFixture: LoadFixture): Promise<void> {
  const options = { name: 'throughput', people: loadFixture.people.slice(0, PEOPLE), connections: PEOPLE * CALLS_EACH };
  for (let start = 0; start < STARTS; start += 1) {
    await using deployment = await startDeployment(loadFixture, options);
    const load = await deployment.load.run({ warmSeconds: 0, seconds: 2, rate: 0 });
    checkArrivals(report, load);
    const { refused } = load.totals;
    report.check(`none of ${options.connections} first calls is refused`, refused === 0, () => `${refused} were`);
  }
}
