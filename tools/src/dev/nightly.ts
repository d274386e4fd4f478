/**
 * `./dev nightly`: runs everything. Parts that passed on this commit are skipped, so that an interrupted run continues.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import type { Part } from './part.ts';
import { describeOutcome, formatCounts } from './run-parts.ts';
import type { Outcome } from './run-parts.ts';
import { chooseParts, runTier } from './run-tier.ts';
import { formatSeconds, formatTable } from './table.ts';

interface NightlyOutcome extends Outcome {
  commit: string;
}

const folder = join(devRoot, 'nightly');

export async function runNightly(args: string[]): Promise<number> {
  const rerunsPassed = args.includes('--again');
  const commit = (await run('git', ['-c', `safe.directory=${repoRoot}`, 'rev-parse', '--short', 'HEAD'])).trim();
  const parts = chooseParts(
    'nightly',
    args.filter((arg) => !arg.startsWith('--')),
  );
  const left = parts.filter((part) => rerunsPassed || !hasPassed(readNightlyOutcome(part), commit));
  console.log(`  ${left.length} of ${parts.length} parts to run on ${commit}\n`);
  await runTier('nightly', left, (outcome) => saveNightlyOutcome({ ...outcome, tests: [], commit }));
  const savedOutcomes = parts.map((part) => readNightlyOutcome(part));
  console.log(
    `\n${formatTable([['part', 'tier', 'wall', 'commit', ''], ...parts.map((part, at) => row(part, savedOutcomes[at]))])}`,
  );
  console.log(`\n  ${formatCounts(savedOutcomes.filter((savedOutcome) => savedOutcome !== undefined))}`);
  return savedOutcomes.every((savedOutcome) => hasPassed(savedOutcome, commit)) ? 0 : 1;
}

function row({ name, tier }: Part, savedOutcome: NightlyOutcome | undefined): string[] {
  if (savedOutcome === undefined) return [name, tier, '', '', 'not run'];
  return [name, tier, formatSeconds(savedOutcome.milliseconds), savedOutcome.commit, describeOutcome(savedOutcome)];
}

function hasPassed(savedOutcome: NightlyOutcome | undefined, commit: string): boolean {
  return savedOutcome !== undefined && savedOutcome.failed === 0 && savedOutcome.commit === commit;
}

function fileOf(name: string): string {
  return join(folder, `${name.replace(':', '-')}.json`);
}

function readNightlyOutcome({ name }: Part): NightlyOutcome | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8')) as NightlyOutcome;
  } catch {
    return undefined;
  }
}

function saveNightlyOutcome(savedOutcome: NightlyOutcome): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(savedOutcome.name), JSON.stringify(savedOutcome));
}
