/** A page of a chat and a catch-up cost the same in a log of 20 million rows as in one of 100 thousand. */
import { describeIndexes, fillLog } from './flat/fill.ts';
import { openReader } from './flat/measure.ts';
import type { Cost } from './flat/measure.ts';
import { shardName, startEngines } from '../harness/lib/engines.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { median } from '../harness/load/statistics.ts';

const SMALL = { owners: 200, chatsPerOwner: 5, rows: 100_000 };
const LARGE = { ...SMALL, rows: 20_000_000 };
const LARGE_SHORT = { ...SMALL, rows: 1_000_000 };
const READS = 400;
const GOAL = { atMost: 1.3 };

/** The log is filled once and only read afterwards, so it needs neither WAL nor fsync. */
const SETTINGS = {
  shared_buffers: '1GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '16GB',
  maintenance_work_mem: '512MB',
  fsync: 'off',
};

await runProof({
  name: 'flat',
  claim: 'reading a page of the log costs the same however long the log is',
  async run(report, { isShort }) {
    const shapes = { small: SMALL, large: isShort ? LARGE_SHORT : LARGE };
    if (isShort) report.say('The short form: 1 million rows in the large log instead of 20 million.');
    await using engines = await startEngines({ name: 'flat', natsNodes: 0, settings: SETTINGS });
    const { directory: postgres } = engines;
    await using cleaning = new AsyncDisposableStack();
    // Deletes gigabytes of databases that are not used again.
    for (const id of [0, 1])
      cleaning.defer(async () => void (await postgres.sql('postgres', `drop database ${shardName(id)}`)));

    for (const [id, [name, shape]] of Object.entries(shapes).entries()) {
      const migrated = await describeIndexes(postgres, shardName(id));
      const { rows, seconds, size, indexes } = await fillLog(postgres, shardName(id), shape);
      report.say(
        `The ${name} log: ${rows.toLocaleString('en')} rows of ${shape.owners} owners by turns, ${size}, in ${seconds} s`,
      );
      report.check('the log has the rows asked for', rows === shape.rows);
      report.check('the indexes are those of the migrations', indexes === migrated, () => indexes);
    }

    await using small = await openReader(postgres.url(shardName(0)), shapes.small);
    await using large = await openReader(postgres.url(shardName(1)), shapes.large);
    const costs = { chat: pair(), catchUp: pair() };
    for (let read = 0; read < READS; read++) {
      costs.chat.small.push(await small.readChat());
      costs.chat.large.push(await large.readChat());
      costs.catchUp.small.push(await small.catchUp());
      costs.catchUp.large.push(await large.catchUp());
    }

    for (const [name, both] of [
      ['a page of a chat', costs.chat],
      ['a page since a cursor', costs.catchUp],
    ] as const) {
      for (const [index, cost] of both.small.entries()) {
        report.check('both logs gave a page of the same length', cost.rows === both.large[index]?.rows);
      }
      for (const unit of ['buffers', 'micros'] as const) {
        const [less, more] = [
          median(both.small.map((cost) => cost[unit])),
          median(both.large.map((cost) => cost[unit])),
        ];
        report.figure(`${name}, ${unit}, small log`, less);
        report.figure(`${name}, ${unit}, large log`, more);
        report.ratio(`${name}, ${unit}`, more / less, GOAL);
      }
    }
  },
});

function pair(): { small: Cost[]; large: Cost[] } {
  return { small: [], large: [] };
}
