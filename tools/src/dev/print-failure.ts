/** Prints a failed test at once. `capture` reads file descriptor 3; without `capture` the terminal shows it. */
import { fstatSync, writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const FAILURES_FD = 3;
const LOG_LINES = 40;
/** Longer lines are cut: an assertion may print megabytes of received data. */
const LINE_CHARACTERS = 1_000;

export interface Failure {
  name: string;
  reasons: string[];
  /** The server's log during this test. */
  log?: string;
}

export function printFailure({ name, reasons, log = '' }: Failure): void {
  const lines = log.trimEnd().split('\n').slice(-LOG_LINES);
  const shown = log === '' ? '' : `server log of this test:\n${lines.join('\n')}\n`;
  const text = cutLines(stripVTControlCharacters(`\nFAILED  ${name}\n${reasons.join('\n')}\n${shown}\n`));
  writeSync(isPipe(FAILURES_FD) ? FAILURES_FD : 1, text);
}

function cutLines(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line)).join('\n');
}

/** Without `capture` the descriptor may be any file of the program. */
function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
