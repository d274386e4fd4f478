// What "everything is fine" consists of. `./dev check` and continuous integration run the same parts.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from '../servers/folders.ts';
import { auditPackages } from './audit.ts';
import { capture } from './capture.ts';
import type { CaptureOptions } from './capture.ts';
import { e2eFolder, installBrowsers, playwright } from './e2e.ts';
import { listLongFiles, listRegistryAddresses } from './hygiene.ts';
import { listProofs } from './prove.ts';
import { readPlaywrightTimes, readVitestTimes } from './slowest.ts';
import type { PlaywrightReport, TimedTest, VitestReport } from './slowest.ts';

export interface PartResult {
  passed: number;
  failed: number;
  output: string;
  /** How long each of its tests took, if it has tests. */
  tests?: TimedTest[];
}

export interface Part {
  name: string;
  run(): Promise<PartResult>;
}

interface VitestCounts {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightCounts {
  stats: { expected: number; unexpected: number; flaky: number };
}

const minute = 60_000;

export const format = program('format', 'oxfmt', ['--check', '.']);
export const types = program('types', 'tsc', ['-b']);
export const lint = program('lint', 'oxlint', ['--deny-warnings']);
export const deadCode = program('dead code', 'knip', ['--no-progress']);
export const walls = vitest('walls', ['--project', 'walls']);
export const tests = vitest('tests', ['--project', '!walls']);
export const build = program('build', join(repoRoot, 'apps/web/node_modules/.bin/react-router'), ['build'], {
  cwd: join(repoRoot, 'apps/web'),
});
export const size = listing('size', 'passes 400 lines', listLongFiles);
export const audit: Part = { name: 'audit', run: auditPackages };
export const addresses = listing('addresses', 'holds the address of a package registry', listRegistryAddresses);

const endToEnd: Part = {
  name: 'e2e',
  async run() {
    await installBrowsers();
    const report = freshReport('e2e');
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const args = ['test', '--reporter=line,json'];
    const { code, output } = await capture(playwright, args, { cwd: e2eFolder, env, timeoutMs: 75 * minute });
    const found = readReport(report) as (PlaywrightCounts & PlaywrightReport) | undefined;
    const stats = found?.stats;
    const result = settle(code, output, stats?.expected ?? 0, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0));
    return { ...result, tests: found ? readPlaywrightTimes(found) : [] };
  },
};

/** What these measure is judged: each has the machine to itself. */
const MEASURING = new Set(['flat', 'history', 'lighthouse', 'push', 'stopped-shard', 'storage', 'throughput']);

/** The browser tests, if there are any. */
export function listBrowserParts(): Part[] {
  return existsSync(join(e2eFolder, 'playwright.config.ts')) ? [endToEnd] : [];
}

/** The short form of every proof: those that measure, and those that may share the machine. */
export function listProofParts(): { alone: Part[]; together: Part[] } {
  const proofs = listProofs();
  return {
    alone: proofs.filter((name) => MEASURING.has(name)).map(shortForm),
    together: proofs.filter((name) => !MEASURING.has(name)).map(shortForm),
  };
}

function shortForm(name: string): Part {
  const file = join(repoRoot, 'proofs/src', `${name}.ts`);
  return program(`prove ${name}`, process.execPath, [file, '--short'], { timeoutMs: 15 * minute });
}

function program(name: string, command: string, args: string[], options: CaptureOptions = {}): Part {
  return {
    name,
    async run() {
      const { code, output } = await capture(command, args, options);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
    },
  };
}

function vitest(name: string, filter: string[]): Part {
  return {
    name,
    async run() {
      const report = freshReport(name);
      const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
      const { code, output } = await capture('vitest', ['run', ...reporters, ...filter], { timeoutMs: 30 * minute });
      const found = readReport(report) as (VitestCounts & VitestReport) | undefined;
      const result = settle(code, output, found?.numPassedTests ?? 0, found?.numFailedTests ?? 0);
      return { ...result, tests: found ? readVitestTimes(found) : [] };
    },
  };
}

function listing(name: string, complaint: string, list: () => Promise<string[]>): Part {
  return {
    name,
    async run() {
      const found = await list();
      const output = found.map((line) => `${line} ${complaint}`).join('\n');
      return { passed: found.length === 0 ? 1 : 0, failed: found.length, output };
    },
  };
}

/** A runner that fails without a failing test (an error outside tests, no report) is one failure all the same. */
function settle(code: number, output: string, passed: number, failed: number): PartResult {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed), output };
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
