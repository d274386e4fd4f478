/** Playwright reporter that prints a failure when it happens. */
import { relative } from 'node:path';
import { printFailure } from '@dostar/tools/print-failure';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';

// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by its default export.
export default class FailuresReporter implements Reporter {
  onTestEnd(test: TestCase, { status, errors, attachments }: TestResult): void {
    if (status === 'skipped' || status === test.expectedStatus) return;
    const log = attachments.find(({ name }) => name === 'server log')?.body?.toString() ?? '';
    const name = `${relative(process.cwd(), test.location.file)}: ${test.title}`;
    printFailure({ name, reasons: errors.map(describe), log });
  }

  onError(error: TestError): void {
    printFailure({ name: 'outside of tests', reasons: [describe(error)] });
  }

  printsToStdio(): boolean {
    return false;
  }
}

function describe({ message, value, snippet = '' }: TestError): string {
  return `${message ?? value ?? ''}\n${snippet}`;
}
