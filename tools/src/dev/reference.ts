import { runHere } from './programs.ts';

/** The server renders its own pages: it has the settings and the commands. */
export function writeReference(): Promise<number> {
  return runHere(process.execPath, ['apps/server/src/cli/reference/write.ts']);
}
