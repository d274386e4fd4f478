import { addresses, deadCode, format, lint, size, tests, types, walls } from './parts.ts';
import { formatCounts, formatOutcomes, printFailures, runPart } from './run-parts.ts';
import { formatSeconds } from './table.ts';

export async function check(): Promise<number> {
  const begun = performance.now();
  const cheap = await Promise.all([format, types, lint, deadCode, size, addresses].map(runPart));
  // Alone on the machine: both start many processes, and some tests measure time.
  const outcomes = [...cheap, await runPart(walls), await runPart(tests)];
  printFailures(outcomes);
  console.log(`\n${formatOutcomes(outcomes)}\n`);
  console.log(`  ${formatCounts(outcomes)} in ${formatSeconds(performance.now() - begun)}`);
  return outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
}
