import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { readPlaywrightTimes, readVitestTimes, sumByFile } from './slowest.ts';

test('durations of a vitest report are read with paths inside the repository', () => {
  const assertionResults = [
    { fullName: 'a message is sent', duration: 12 },
    { fullName: 'a skipped one', duration: null },
  ];
  expect(readVitestTimes({ testResults: [{ name: join(repoRoot, 'a/b.test.ts'), assertionResults }] })).toEqual([
    { file: 'a/b.test.ts', name: 'a message is sent', milliseconds: 12 },
    { file: 'a/b.test.ts', name: 'a skipped one', milliseconds: 0 },
  ]);
});

test('durations of a Playwright report are read from nested suites', () => {
  const inner = {
    file: 'tests/chat/chat.spec.ts',
    specs: [{ title: 'inner', tests: [{ results: [{ duration: 5 }] }] }],
  };
  const outer = {
    file: 'tests/chat/chat.spec.ts',
    suites: [inner],
    specs: [{ title: 'outer', tests: [{ results: [{ duration: 7 }] }] }],
  };
  expect(readPlaywrightTimes({ suites: [outer] })).toEqual([
    { file: 'e2e/tests/chat/chat.spec.ts', name: 'outer', milliseconds: 7 },
    { file: 'e2e/tests/chat/chat.spec.ts', name: 'inner', milliseconds: 5 },
  ]);
});

test('files are sorted by the sum of their tests', () => {
  const tests = [
    { file: 'a', name: '1', milliseconds: 3 },
    { file: 'b', name: '2', milliseconds: 4 },
    { file: 'a', name: '3', milliseconds: 2 },
  ];
  expect(sumByFile(tests)).toEqual([
    { file: 'a', milliseconds: 5 },
    { file: 'b', milliseconds: 4 },
  ]);
});
