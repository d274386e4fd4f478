import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import { formatCounts } from './run-parts.ts';
import { chooseParts, runTier } from './run-tier.ts';

/**
 * Checks to run before a merge. Every part runs, also after a failure. The counts are written to a file last, and
 * `.ci/run` prints them.
 */
export async function runGate(names: string[]): Promise<number> {
  // Two parts run concurrently here. With two workers per core, as in ./dev check, tests with tight time limits would
  // fail.
  process.env['VITEST_MAX_WORKERS'] ??= String(availableParallelism());
  // Quality 11 takes 50 s more, so only ./dev nightly and ./dev bundle use it.
  process.env['BROTLI_QUALITY'] ??= '5';
  const outcomes = await runTier('gate', chooseParts('gate', names));
  mkdirSync(devRoot, { recursive: true });
  writeFileSync(join(devRoot, 'ci.result'), `${formatCounts(outcomes)}\n`);
  return outcomes.some(({ failed }) => failed > 0) ? 1 : 0;
}
