/**
 * The rounds: the bare database, our append, the bare database again, the whole path. They alternate, so that all
 * suffer the same noise of the machine.
 */
import type { Report } from '../../harness/lib/report.ts';
import type { LoadFixture } from '../../harness/load/load-fixture.ts';
import type { LoadReport } from '../../harness/load/messages.ts';
import { startDeployment } from '../../harness/load/deployment.ts';
import { runAppend } from './append.ts';
import type { Bench } from './pgbench.ts';

export const BODY_BYTES = 450;
/** Messages in flight. */
export const WINDOW = 256;
const OFFERED = 1_000;

export interface Form {
  rounds: number;
  seconds: number;
  warmSeconds: number;
}

/** Rates in messages per second, latencies in milliseconds. */
export interface Round {
  before: number;
  append: number;
  after: number;
  path: number;
  p50: number;
  p99: number;
  /** Counted since the first round. */
  arrived: number;
}

export const appendRatio = ({ append, before }: Round): number => append / before;
export const pathRatio = ({ path, after }: Round): number => path / after;

export async function* measure(
  report: Report,
  loadFixture: LoadFixture,
  bench: Bench,
  form: Form,
): AsyncGenerator<Round> {
  const { seconds, warmSeconds } = form;
  const [connected, others] = [
    loadFixture.people.slice(0, loadFixture.people.length / 2),
    loadFixture.people.slice(loadFixture.people.length / 2),
  ];
  await using deployment = await startDeployment(loadFixture, {
    name: 'throughput',
    people: connected,
    connections: WINDOW,
  });
  // A server runs for weeks: the first seconds, in which its code is compiled, do not count.
  await deployment.load.run({ warmSeconds: 0, seconds: warmSeconds, rate: 0 });
  await runOurs(warmSeconds / 4);

  for (let number = 1; number <= form.rounds; number++) {
    const before = await bench(seconds);
    const append = await runOurs(seconds);
    const after = await bench(seconds);
    const whole = await deployment.load.run({ warmSeconds: 1, seconds, rate: 0 });
    // The warm-up lets the queues of the full-speed part drain.
    const offered = await deployment.load.run({ warmSeconds: 3, seconds, rate: OFFERED });
    const path = whole.arrived / whole.seconds;
    const { p50, p99, totals } = offered;
    const round = { before, append, after, path, p50, p99, arrived: totals.arrived };
    tell(report, number, round);
    checkArrivals(report, offered);
    yield round;
  }

  function runOurs(forSeconds: number): Promise<number> {
    const accounts = others.map((person) => person.account);
    return runAppend(loadFixture.ctx, {
      accounts,
      bodyBytes: BODY_BYTES,
      window: WINDOW,
      warmSeconds: 0.5,
      seconds: forSeconds,
    });
  }
}

function tell(report: Report, number: number, round: Round): void {
  const { before, append, after, path, p50, p99 } = round;
  report.say(
    `round ${number}: pgbench ${perSecond(before)}, append ${perSecond(append)}, ratio ${appendRatio(round).toFixed(2)}`,
  );
  report.say(
    `         pgbench ${perSecond(after)}, whole path ${perSecond(path)}, ratio ${pathRatio(round).toFixed(2)}`,
  );
  report.say(`         at ${perSecond(OFFERED)} offered: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

export function checkArrivals(report: Report, { totals }: LoadReport): void {
  const { acknowledged, arrived, refused, missing, unexpected, disordered } = totals;
  report.check('every acknowledged message arrived', acknowledged === arrived, () => JSON.stringify(totals));
  report.check(
    'nothing was refused, lost, doubled or out of order',
    refused + missing + unexpected + disordered === 0,
    () => JSON.stringify(totals),
  );
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
