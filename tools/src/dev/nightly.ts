/** `./dev nightly`: everything. A part that has passed on this commit is not run again, so a broken night goes on. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import type { Part } from './part.ts';
import { describeOutcome, formatCounts } from './run-parts.ts';
import type { Outcome } from './run-parts.ts';
import { chooseParts, runTier } from './run-tier.ts';
import { formatSeconds, formatTable } from './table.ts';

interface Night extends Outcome {
  commit: string;
}

const folder = join(devRoot, 'nightly');

export async function runNightly(args: string[]): Promise<number> {
  const isAgain = args.includes('--again');
  const commit = (await run('git', ['-c', `safe.directory=${repoRoot}`, 'rev-parse', '--short', 'HEAD'])).trim();
  const parts = chooseParts(
    'nightly',
    args.filter((arg) => !arg.startsWith('--')),
  );
  const left = parts.filter((part) => isAgain || !hasPassed(readNight(part), commit));
  console.log(`  ${left.length} of ${parts.length} parts to run on ${commit}\n`);
  await runTier('nightly', left, (outcome) => keepNight({ ...outcome, tests: [], commit }));
  const nights = parts.map((part) => readNight(part));
  console.log(
    `\n${formatTable([['part', 'tier', 'wall', 'commit', ''], ...parts.map((part, at) => row(part, nights[at]))])}`,
  );
  console.log(`\n  ${formatCounts(nights.filter((night) => night !== undefined))}`);
  return nights.every((night) => hasPassed(night, commit)) ? 0 : 1;
}

function row({ name, tier }: Part, night: Night | undefined): string[] {
  if (night === undefined) return [name, tier, '', '', 'not run'];
  return [name, tier, formatSeconds(night.milliseconds), night.commit, describeOutcome(night)];
}

function hasPassed(night: Night | undefined, commit: string): boolean {
  return night !== undefined && night.failed === 0 && night.commit === commit;
}

function fileOf(name: string): string {
  return join(folder, `${name.replace(':', '-')}.json`);
}

function readNight({ name }: Part): Night | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Night;
  } catch {
    return undefined;
  }
}

function keepNight(night: Night): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(night.name), JSON.stringify(night));
}
