/** Names a failure when it happens, with the server's log of that test only. `capture` reads file descriptor 3. */
import { fstatSync, writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

const FAILURES_FD = 3;
const LOG_LINES = 40;

// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default export.
export default class FailuresReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    const { serverLog = [] } = test.meta() as { serverLog?: string[] };
    print(`${test.module.relativeModuleId}: ${test.fullName}`, errors ?? [], serverLog);
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = module.errors();
    if (errors.length > 0) print(module.relativeModuleId, errors, []);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (unhandled.length > 0) print('outside of tests', unhandled, []);
  }
}

function print(name: string, errors: readonly SerializedError[], log: string[]): void {
  const reasons = errors.map(({ message, diff, stack = '' }) =>
    [message, typeof diff === 'string' ? diff : '', ownFrames(stack)].join('\n'),
  );
  const shown = log.length === 0 ? '' : `server log of this test:\n${log.slice(-LOG_LINES).join('')}`;
  write(stripVTControlCharacters(`\nFAILED  ${name}\n${reasons.join('\n')}\n${shown}\n`));
}

function ownFrames(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.filter((line) => !line.includes('node_modules') && !line.includes('node:internal')).join('\n');
}

function write(text: string): void {
  writeSync(isOpen(FAILURES_FD) ? FAILURES_FD : 1, text);
}

/** Only a pipe is ours: run by hand, the descriptor may be anything. */
function isOpen(fd: number): boolean {
  try {
    return fstatSync(fd).isFIFO() || fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}
