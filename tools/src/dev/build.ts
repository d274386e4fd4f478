import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { runHere } from './programs.ts';

/** Builds only what browsers load: the server and the tools run from their sources. */
export function buildAll(): Promise<number> {
  return runHere(join(repoRoot, 'apps/web/node_modules/.bin/react-router'), ['build'], {
    cwd: join(repoRoot, 'apps/web'),
  });
}
