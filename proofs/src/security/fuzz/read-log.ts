/** Searches the log of a server process for markers and unexpected lines. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Checks } from '../isolation/checks.ts';
import { CLAIMS } from './claims.ts';

const ERROR_LEVEL = 50;
const SHOWN = 1_000;

export async function readLog(file: string, marker: string, checks: Checks): Promise<number> {
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines += 1;
    const detail = (): string => line.slice(0, SHOWN);
    checks.that(CLAIMS.secret, !line.toLowerCase().includes(marker), detail);
    checks.that(CLAIMS.unexpected, !isUnexpected(line), detail);
  }
  return lines;
}

/** A failed frame is logged at a low level, since the server tells its sender to try again. */
function isUnexpected(line: string): boolean {
  if (!line.startsWith('{')) return false;
  const { level = 0, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: unknown };
  return (level >= ERROR_LEVEL && err !== undefined) || msg === 'frame failed';
}
