/**
 * Full speed for minutes on a database that began empty.
 *
 * Autovacuum is off, so PostgreSQL keeps the plans that it made for an empty log. If one of them reads more rows as the
 * log grows, the rate falls within a minute or two.
 */
import { shardName } from '../../harness/lib/engines.ts';
import type { Engines } from '../../harness/lib/engines.ts';
import type { Report } from '../../harness/lib/report.ts';
import { startLoadFixture } from '../../harness/load/load-fixture.ts';
import { checkMailboxes } from '../../harness/load/mailboxes.ts';
import { startDeployment } from '../../harness/load/deployment.ts';
import { checkArrivals, WINDOW } from './measure.ts';

/** No checkpoint during the run: it would slow down the part that it falls into. */
const SETTINGS = { autovacuum: 'off', max_wal_size: '24GB', checkpoint_timeout: '1h' };
const NAME = 'throughput-steady';

export interface SteadyForm {
  people: number;
  /** The first one is warm-up. */
  parts: number;
  secondsEach: number;
}

/** The search for duplicates as it was before: the index that PostgreSQL uses depends on statistics of the log. */
const DEPENDENT_LOOK_UP = `
  select patch_function('append',
    'old.message_id between e.id and e.id
      order by old.message_id limit 1',
    'old.message_id = e.id limit 1')`;

/** Returns the rate of the last part divided by the rate of the second. */
export async function measureSteadiness(
  report: Report,
  form: SteadyForm,
  { isDependent = false } = {},
): Promise<number> {
  await using loadFixture = await startLoadFixture({ name: NAME, people: form.people, settings: SETTINGS });
  await using cleaning = new AsyncDisposableStack();
  cleaning.defer(() => clean(loadFixture.engines));
  if (isDependent) {
    for (const [id, shard] of loadFixture.engines.shards.entries()) await shard.sql(shardName(id), DEPENDENT_LOOK_UP);
  }
  await using deployment = await startDeployment(loadFixture, {
    name: NAME,
    people: loadFixture.people,
    connections: WINDOW,
  });
  const { parts, secondsEach } = form;
  const load = await deployment.load.run({ warmSeconds: 0, seconds: parts * secondsEach, rate: 0 });
  checkArrivals(report, load);
  const rates = Array.from({ length: parts }, (_, part) => {
    const seconds = load.bySecond.slice(part * secondsEach, (part + 1) * secondsEach);
    return seconds.reduce((sum, { arrived }) => sum + arrived, 0) / secondsEach;
  });
  report.say(`messages/s in each ${secondsEach} s: ${rates.map((rate) => Math.round(rate)).join(', ')}`);
  await checkMailboxes(report, loadFixture.engines);
  return rates.at(-1)! / rates[1]!;
}

/** Drops the databases of the run, which are gigabytes large. */
async function clean({ shards }: Engines): Promise<void> {
  for (const [id, shard] of shards.entries()) {
    await shard.sql('postgres', `drop database "${shardName(id)}" with (force)`);
    await shard.sql('postgres', 'checkpoint');
  }
}
