/** The rounds: the bare engine, our append, the bare engine again, the whole path; in turns, so that each has its share of a noisy machine. */
import type { Report } from '../lib/report.ts';
import type { House } from '../load/house.ts';
import type { LoadReport } from '../load/messages.ts';
import { startTown } from '../load/town.ts';
import { runAppend } from './append.ts';
import type { Bench } from './pgbench.ts';

export const BODY_BYTES = 450;
/** Messages under way at once. */
export const WINDOW = 256;
const OFFERED = 1_000;

export interface Form {
  rounds: number;
  seconds: number;
  warmSeconds: number;
}

export interface Measured {
  engine: number[];
  append: number[];
  appendRatio: number[];
  path: number[];
  pathRatio: number[];
  p50: number[];
  p99: number[];
}

export async function measure(report: Report, house: House, bench: Bench, form: Form): Promise<Measured> {
  const { seconds, warmSeconds } = form;
  const measured: Measured = { engine: [], append: [], appendRatio: [], path: [], pathRatio: [], p50: [], p99: [] };
  const [connected, others] = [
    house.people.slice(0, house.people.length / 2),
    house.people.slice(house.people.length / 2),
  ];
  await using town = await startTown(house, { name: 'throughput', people: connected, connections: WINDOW });
  // A server runs for weeks: the first seconds, in which its code is compiled, say nothing about it.
  await town.load.run({ warmSeconds: 0, seconds: warmSeconds, rate: 0 });
  await append(warmSeconds / 4);

  for (let round = 1; round <= form.rounds; round++) {
    const before = await bench(seconds);
    const appended = await append(seconds);
    const after = await bench(seconds);
    const whole = await town.load.run({ warmSeconds: 1, seconds, rate: 0 });
    // What the full speed before it has left behind is written off first.
    const offered = await town.load.run({ warmSeconds: 3, seconds, rate: OFFERED });
    const arrived = whole.arrived / whole.seconds;
    measured.engine.push(before, after);
    measured.append.push(appended);
    measured.appendRatio.push(appended / before);
    measured.path.push(arrived);
    measured.pathRatio.push(arrived / after);
    measured.p50.push(offered.p50);
    measured.p99.push(offered.p99);
    report.say(
      `round ${round}: pgbench ${perSecond(before)}, append ${perSecond(appended)}, ratio ${(appended / before).toFixed(2)}`,
    );
    report.say(
      `         pgbench ${perSecond(after)}, whole path ${perSecond(arrived)}, ratio ${(arrived / after).toFixed(2)}`,
    );
    report.say(
      `         at ${perSecond(OFFERED)} offered: p50 ${offered.p50.toFixed(1)} ms, p99 ${offered.p99.toFixed(1)} ms`,
    );
    checkArrivals(report, offered);
    if (round === form.rounds)
      report.count('messages at the recipient’s socket, once, in order', offered.totals.arrived);
  }
  return measured;

  function append(forSeconds: number): Promise<number> {
    const accounts = others.map((person) => person.account);
    return runAppend(house.ctx, {
      accounts,
      bodyBytes: BODY_BYTES,
      window: WINDOW,
      warmSeconds: 0.5,
      seconds: forSeconds,
    });
  }
}

function checkArrivals(report: Report, { totals }: LoadReport): void {
  const { acknowledged, arrived, refused, missing, unexpected, disordered } = totals;
  report.check('what was acknowledged arrived', acknowledged === arrived, () => JSON.stringify(totals));
  report.check(
    'nothing was refused, lost, doubled or out of order',
    refused + missing + unexpected + disordered === 0,
    () => JSON.stringify(totals),
  );
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
