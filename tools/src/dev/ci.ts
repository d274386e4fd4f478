import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import { findRunning, listRecords, stopRecord } from '../servers/records.ts';
import {
  addresses,
  audit,
  build,
  deadCode,
  format,
  lint,
  listBrowserParts,
  listProofParts,
  size,
  tests,
  types,
  walls,
} from './parts.ts';
import type { Part } from './parts.ts';
import { describeOutcome, formatCounts, formatOutcomes, printFailures, runParts } from './run-parts.ts';
import type { Outcome } from './run-parts.ts';
import { sumByFile } from './slowest.ts';
import { formatSeconds, formatTable } from './table.ts';

/** As many parts at once as the smallest machine has cores. */
const LANES = 2;

/** How many slow tests and files are listed. */
const SLOWEST = 20;
const FILES = 60;

/** Every part in order, also after a failure; the closing count goes to a file that .ci/run prints last. */
export async function runContinuousIntegration(): Promise<number> {
  const begun = performance.now();
  const earlier = new Set(
    listRecords()
      .filter((record) => findRunning(record.name))
      .map((record) => record.name),
  );
  const outcomes: Outcome[] = [];
  const { alone, together } = listProofParts();
  await run([types], 1);
  await run([build, format, lint, walls, deadCode, size, addresses, audit], LANES);
  await run([tests, ...listBrowserParts(), ...alone], 1);
  // They wait for engines and for clocks: what one leaves idle, another uses.
  await run(together, LANES);
  await Promise.all(
    listRecords()
      .filter((record) => !earlier.has(record.name))
      .map(stopRecord),
  );
  console.log(`\n${formatOutcomes(outcomes)}\n\n  ${formatSeconds(performance.now() - begun)} in all`);
  printSlowest(outcomes);
  mkdirSync(devRoot, { recursive: true });
  writeFileSync(join(devRoot, 'ci.result'), `${formatCounts(outcomes)}\n`);
  return outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;

  async function run(parts: Part[], lanes: number): Promise<void> {
    for await (const outcome of runParts(parts, lanes)) {
      outcomes.push(outcome);
      console.log(
        `  ${outcome.name.padEnd(20)} ${formatSeconds(outcome.milliseconds).padStart(8)}  ${describeOutcome(outcome)}`,
      );
      printFailures([outcome]);
    }
  }
}

function printSlowest(outcomes: Outcome[]): void {
  for (const { name, tests: timed = [] } of outcomes) {
    if (timed.length === 0) continue;
    const slowest = timed.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST);
    const files = sumByFile(timed).slice(0, FILES);
    console.log(
      `\n${name}: the slowest files\n${formatTable(files.map(({ file, milliseconds }) => [formatSeconds(milliseconds), file]))}`,
    );
    console.log(
      `\n${name}: the slowest tests\n${formatTable(slowest.map(({ file, name: test, milliseconds }) => [formatSeconds(milliseconds), `${file}: ${test}`]))}`,
    );
  }
}
