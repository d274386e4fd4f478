/** Lists the slowest tests and files in the JSON reports of vitest and Playwright. */
import { relative } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { formatSeconds, formatTable } from './table.ts';

/** Number of slow tests and files in the list. */
const LISTED = 20;

export interface TimedTest {
  file: string;
  name: string;
  milliseconds: number;
}

export interface VitestReport {
  testResults: {
    name: string;
    assertionResults: { fullName: string; duration?: number | null }[];
  }[];
}

export interface PlaywrightReport {
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { results: { duration: number }[] }[] }[];
}

export function readVitestTimes(report: VitestReport): TimedTest[] {
  return report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(repoRoot, file),
      name: fullName,
      milliseconds: duration ?? 0,
    })),
  );
}

export function readPlaywrightTimes(report: PlaywrightReport): TimedTest[] {
  return report.suites.flatMap(timesOfSuite);
}

function timesOfSuite({ file, suites = [], specs }: PlaywrightSuite): TimedTest[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => ({ file: `e2e/${file}`, name: title, milliseconds: duration })),
    ),
  );
  return [...own, ...suites.flatMap(timesOfSuite)];
}

/** Test files with the total duration of their tests, the slowest first. */
export function sumByFile(tests: TimedTest[]): { file: string; milliseconds: number }[] {
  const sums = new Map<string, number>();
  for (const { file, milliseconds } of tests) sums.set(file, (sums.get(file) ?? 0) + milliseconds);
  return [...sums]
    .map(([file, milliseconds]) => ({ file, milliseconds }))
    .toSorted((one, other) => other.milliseconds - one.milliseconds);
}

export function formatSlowest(tests: TimedTest[]): string {
  const slowest = tests.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, LISTED);
  const files = sumByFile(tests)
    .slice(0, LISTED)
    .map(({ file, milliseconds }) => [formatSeconds(milliseconds), file]);
  const rows = slowest.map(({ file, name, milliseconds }) => [formatSeconds(milliseconds), `${file}: ${name}`]);
  return `  slowest files\n${formatTable(files)}\n\n  slowest tests\n${formatTable(rows)}`;
}
