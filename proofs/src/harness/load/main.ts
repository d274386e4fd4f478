/**
 * The load generator in its own process. It writes to raw sockets and parses as little as it can: on two cores, its
 * processor time is taken from the servers that it measures.
 *
 * A message counts when it arrives on the recipient's own socket, once, in the order of the mailbox.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from './calls.ts';
import { listen } from './listener.ts';
import type { Seen } from './listener.ts';
import type { LoadReport, LoadRound, LoadSetup } from './messages.ts';
import { quantile } from './statistics.ts';

interface Sent {
  at: number;
  to: string;
}

const SETTLE_MS = 5_000;

const [setup] = (await once(process, 'message')) as [LoadSetup];
const sent = new Map<string, Sent>();
const totals = { acknowledged: 0, refused: 0, arrived: 0, missing: 0, unexpected: 0, disordered: 0 };
let latencies: number[] = [];
let ackLatencies: number[] = [];
let isMeasuring = false;

await Promise.all(setup.people.map((person) => listen(setup, person, note)));
const calls = new Calls(setup, {
  sent: (id, to, at) => sent.set(id, { at, to }),
  answered(id, isAccepted, at) {
    if (isAccepted) {
      totals.acknowledged += 1;
      if (isMeasuring) ackLatencies.push(performance.now() - at);
    } else {
      totals.refused += 1;
      sent.delete(id);
    }
  },
});
await calls.open();
process.send?.('ready');
process.on('message', (round: LoadRound) => void run(round).then((report) => process.send?.(report)));

function note(seen: Seen): void {
  if (!seen.isNext) totals.disordered += 1;
  // The sender's own copy.
  if (seen.sender === seen.owner) return;
  const message = sent.get(seen.id);
  if (message?.to !== seen.owner) {
    totals.unexpected += 1;
    return;
  }
  sent.delete(seen.id);
  totals.arrived += 1;
  if (isMeasuring) latencies.push(performance.now() - message.at);
}

async function run({ warmSeconds, seconds, rate }: LoadRound): Promise<LoadReport> {
  latencies = [];
  ackLatencies = [];
  calls.start(rate);
  await sleep(warmSeconds * 1000);
  const before = { ...totals };
  const from = performance.now();
  isMeasuring = true;
  const arrivals: number[][] = [];
  const answers: number[][] = [];
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    arrivals.push(latencies.splice(0));
    answers.push(ackLatencies.splice(0));
  }
  isMeasuring = false;
  const measured = (performance.now() - from) / 1000;
  const after = { ...totals };
  await calls.stop();
  const giveUpAt = performance.now() + SETTLE_MS;
  while (sent.size > 0 && performance.now() < giveUpAt) await sleep(20);
  totals.missing = sent.size;
  return {
    seconds: measured,
    acknowledged: after.acknowledged - before.acknowledged,
    arrived: after.arrived - before.arrived,
    p50: quantile(arrivals.flat(), 0.5),
    p99: quantile(arrivals.flat(), 0.99),
    ackP50: quantile(answers.flat(), 0.5),
    ackP99: quantile(answers.flat(), 0.99),
    bySecond: arrivals.map((values, second) => {
      return { arrived: values.length, p99: quantile(values, 0.99), ackP99: quantile(answers[second]!, 0.99) };
    }),
    totals: { ...totals },
  };
}
