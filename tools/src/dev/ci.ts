import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import { findRunning, listRecords, stopRecord } from '../servers/records.ts';
import { addresses, audit, build, deadCode, format, lint, listLongParts, size, tests, types, walls } from './parts.ts';
import { describeOutcome, formatCounts, formatOutcomes, printFailures, runPart } from './run-parts.ts';
import type { Outcome } from './run-parts.ts';
import { formatSeconds } from './table.ts';

/** Every part in order, also after a failure; the closing count goes to a file that .ci/run prints last. */
export async function runContinuousIntegration(): Promise<number> {
  const begun = performance.now();
  const earlier = new Set(
    listRecords()
      .filter((record) => findRunning(record.name))
      .map((record) => record.name),
  );
  const outcomes: Outcome[] = [];
  const parts = [format, types, lint, walls, deadCode, size, addresses, audit, tests, build, ...listLongParts()];
  for (const part of parts) {
    const outcome = await runPart(part);
    outcomes.push(outcome);
    console.log(
      `  ${part.name.padEnd(20)} ${formatSeconds(outcome.milliseconds).padStart(8)}  ${describeOutcome(outcome)}`,
    );
    printFailures([outcome]);
  }
  await Promise.all(
    listRecords()
      .filter((record) => !earlier.has(record.name))
      .map(stopRecord),
  );
  console.log(`\n${formatOutcomes(outcomes)}\n\n  ${formatSeconds(performance.now() - begun)} in all`);
  mkdirSync(devRoot, { recursive: true });
  writeFileSync(join(devRoot, 'ci.result'), `${formatCounts(outcomes)}\n`);
  return outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
}
