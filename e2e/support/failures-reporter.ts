/** Names a failure when it happens, with the server's log of that test only. `./dev ci` reads file descriptor 3. */
import { fstatSync, writeSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';

const FAILURES_FD = 3;

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its default export.
export default class FailuresReporter implements Reporter {
  onTestEnd(test: TestCase, { status, errors, attachments }: TestResult): void {
    if (status === 'skipped' || status === test.expectedStatus) return;
    const log = attachments.find(({ name }) => name === 'server log')?.body?.toString() ?? '';
    const name = `${relative(process.cwd(), test.location.file)}: ${test.title}`;
    print(name, errors, log === '' ? '' : `server log of this test:\n${log}`);
  }

  onError(error: TestError): void {
    print('outside of tests', [error], '');
  }

  printsToStdio(): boolean {
    return false;
  }
}

function print(name: string, errors: TestError[], log: string): void {
  const reasons = errors.map(({ message, value, snippet = '' }) => `${message ?? value ?? ''}\n${snippet}`);
  const text = stripVTControlCharacters(`\nFAILED  ${name}\n${reasons.join('\n')}\n${log}\n`);
  writeSync(isPipe(FAILURES_FD) ? FAILURES_FD : 1, text);
}

/** Run by hand, the descriptor may be anything. */
function isPipe(fd: number): boolean {
  try {
    return fstatSync(fd).isFIFO() || fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}
