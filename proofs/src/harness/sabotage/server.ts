/**
 * Our server with one thing left out, for proofs that must notice. Phrases of the real source are replaced when it is
 * loaded; everything else stays as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, replacePhrases } from '@dostar/client/testing/change';
import { REPO_ROOT } from '../lib/engines.ts';
import { SABOTAGE } from './environment-variable.ts';

/** The program to start in the server's place, and what it needs in its environment. Throws if a phrase is missing. */
export function sabotagedServer(changes: Change[]): { entry: string; env: Record<string, string> } {
  for (const change of changes) {
    replacePhrases(readFileSync(join(REPO_ROOT, 'apps/server/src', change.file), 'utf8'), [change]);
  }
  return { entry: join(import.meta.dirname, 'main.ts'), env: { [SABOTAGE]: JSON.stringify(changes) } };
}
