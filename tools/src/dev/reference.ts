import { runHere } from './programs.ts';

/** The server renders its own reference pages, because it knows the settings and the commands. */
export function writeReference(): Promise<number> {
  return runHere(process.execPath, ['apps/server/src/cli/reference/write.ts']);
}
