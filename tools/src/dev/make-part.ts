/** Makes parts from programs and test runners. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import { capture } from './capture.ts';
import type { CaptureOptions, Captured } from './capture.ts';
import { e2eFolder, installBrowsers, playwright } from './e2e.ts';
import type { Part, PartResult } from './part.ts';
import { readPlaywrightTimes, readVitestTimes } from './slowest.ts';
import type { PlaywrightReport, VitestReport } from './slowest.ts';

type Description = Omit<Part, 'run'>;

const minute = 60_000;

interface VitestCounts {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightCounts {
  stats: { expected: number; unexpected: number; flaky: number };
}

export function program(part: Description, command: string, args: string[], options: CaptureOptions = {}): Part {
  return {
    ...part,
    async run() {
      const { code, output, cpuMs } = await capture(command, args, options);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output, cpuMs };
    },
  };
}

export function vitest(part: Description, args: string[]): Part {
  return {
    ...part,
    async run(onFailure) {
      const report = freshReport(part.name);
      const reporters = ['tools/src/dev/vitest-failures.ts', 'json'].map((name) => `--reporter=${name}`);
      const captured = await capture('vitest', ['run', ...reporters, `--outputFile.json=${report}`, ...args], {
        timeoutMs: 60 * minute,
        onFailure,
      });
      const found = readReport(report) as (VitestCounts & VitestReport) | undefined;
      const result = settle(captured, found?.numPassedTests ?? 0, found?.numFailedTests ?? 0);
      return { ...result, tests: found ? readVitestTimes(found) : [] };
    },
  };
}

/** A separate part, so that the download runs beside other parts; the browser tests run alone. */
export async function installChromium(): Promise<PartResult> {
  await installBrowsers([]);
  return { passed: 1, failed: 0, output: '' };
}

export function browserTests(part: Description, args: string[]): Part {
  return {
    ...part,
    async run(onFailure) {
      await installBrowsers(args);
      const report = freshReport(part.name);
      const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
      const all = ['test', '--reporter=./support/failures-reporter.ts,json', ...args];
      const captured = await capture(playwright, all, { cwd: e2eFolder, env, timeoutMs: 75 * minute, onFailure });
      const found = readReport(report) as (PlaywrightCounts & PlaywrightReport) | undefined;
      const { expected = 0, unexpected = 0, flaky = 0 } = found?.stats ?? {};
      const result = settle(captured, expected, unexpected + flaky);
      return { ...result, tests: found ? readPlaywrightTimes(found) : [] };
    },
  };
}

/** Passes if the list is empty; each entry is one failure. */
export function listing(part: Description, complaint: string, list: () => Promise<string[]>): Part {
  return {
    ...part,
    async run() {
      const found = await list();
      const output = found.map((line) => `${line} ${complaint}`).join('\n');
      return { passed: found.length === 0 ? 1 : 0, failed: found.length, output };
    },
  };
}

/** A runner that fails without a failing test (an error outside tests, no report) counts as one failure. */
function settle({ code, output, cpuMs }: Captured, passed: number, failed: number): PartResult {
  // Failed tests were already printed. The rest of the output is only needed if there were none.
  return { passed, failed: code === 0 ? failed : Math.max(1, failed), output: failed > 0 ? '' : output, cpuMs };
}

function freshReport(name: string): string {
  const folder = join(devRoot, 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
