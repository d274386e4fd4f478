/** Vitest reporter that prints a failure when it happens. */
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { printFailure } from './print-failure.ts';

// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default export.
export default class FailuresReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    const { serverLog = [] } = test.meta() as { serverLog?: string[] };
    const name = `${test.module.relativeModuleId}: ${test.fullName}`;
    printFailure({ name, reasons: (errors ?? []).map(describe), log: serverLog.join('') });
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = module.errors();
    if (errors.length > 0) printFailure({ name: module.relativeModuleId, reasons: errors.map(describe) });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (unhandled.length > 0) printFailure({ name: 'outside of tests', reasons: unhandled.map(describe) });
  }
}

function describe({ message, diff, stack = '' }: SerializedError): string {
  return [message, typeof diff === 'string' ? diff : '', ownFrames(stack)].join('\n');
}

function ownFrames(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.filter((line) => !line.includes('node_modules') && !line.includes('node:internal')).join('\n');
}
