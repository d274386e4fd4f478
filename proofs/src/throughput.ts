/** Messages per second and their latency, against what the bare engine does with one transaction per message. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProof } from './lib/run-proof.ts';
import { startHouse } from './load/house.ts';
import { checkMailboxes } from './load/mailboxes.ts';
import { median } from './load/numbers.ts';
import { nameLimit } from './throughput/limit.ts';
import { BODY_BYTES, measure } from './throughput/measure.ts';
import { prepareBench } from './throughput/pgbench.ts';

/** Half of them connected and writing over HTTP, half for the append alone. */
const PEOPLE = 400;

/** After seven seconds the whole path still runs at half its later speed (0.45 of pgbench instead of 0.86): its code is being compiled. */
const WARM_SECONDS = 16;

const FULL = { rounds: 5, seconds: 5, warmSeconds: WARM_SECONDS, append: 1.8, path: 1, p99: 50 };
/** One round on a busy machine: enough to notice that batching is gone or a plan is bad. */
const SHORT = { rounds: 1, seconds: 4, warmSeconds: WARM_SECONDS, append: 1, path: 0.4, p99: 500 };

await runProof({
  name: 'throughput',
  claim: 'batched appends beat one transaction per message, and the whole way to the recipient keeps up with it',
  async run(report, { isShort }) {
    const form = isShort ? SHORT : FULL;
    if (isShort) {
      report.say(
        `The short form: one round, judged against limits that a busy machine reaches too: append ${SHORT.append},`,
      );
      report.say(
        `whole path ${SHORT.path}, p99 ${SHORT.p99} ms. The goals ${FULL.append}, ${FULL.path} and ${FULL.p99} ms are judged without --short.`,
      );
    }
    report.say(
      'A message is one transaction of pgbench (8 clients, prepared): both mailboxes numbered, both entries inserted.',
    );
    report.say(
      'Ours: the same and all its checks; on the whole path also HTTP, session, bell and the recipient’s socket.',
    );
    report.say(
      `${PEOPLE / 2} accounts on two shards, bodies of ${BODY_BYTES} bytes; nobody acknowledges what arrived.\n`,
    );
    const folder = await mkdtemp(join(tmpdir(), 'dostar-throughput-'));
    await using cleaning = new AsyncDisposableStack();
    cleaning.defer(() => rm(folder, { recursive: true }));
    await using house = await startHouse({ name: 'throughput', people: PEOPLE });
    const bench = await prepareBench(house.engines, folder, BODY_BYTES);

    const measured = await measure(report, house, bench, form);
    report.figure('pgbench, messages/s', Math.round(median(measured.engine)));
    report.figure('append alone, messages/s', Math.round(median(measured.append)));
    report.figure('whole path, messages/s', Math.round(median(measured.path)));
    report.figure('p50 ms at 1,000/s', median(measured.p50));
    report.ratio('append alone / pgbench', median(measured.appendRatio), { atLeast: form.append });
    report.ratio('whole path / pgbench', median(measured.pathRatio), { atLeast: form.path });
    report.ratio('p99 ms at 1,000/s', median(measured.p99), { atMost: form.p99 });
    await checkMailboxes(report, house.engines);
    if (report.hasFailed) await nameLimit(report, house, folder);
  },
});
