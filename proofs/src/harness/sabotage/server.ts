/**
 * The server with one safeguard left out, for proofs that must notice. Phrases of the real source are replaced when it
 * is loaded; everything else stays as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, replacePhrases } from '@dostar/client/testing/change';
import { REPO_ROOT } from '../lib/engines.ts';
import { SABOTAGE } from './environment-variable.ts';

/** Returns the program to start instead of the server's own, and its environment. Throws if a phrase is missing. */
export function sabotagedServer(changes: Change[]): { entry: string; env: Record<string, string> } {
  for (const change of changes) {
    replacePhrases(readFileSync(join(REPO_ROOT, 'apps/server/src', change.file), 'utf8'), [change]);
  }
  return { entry: join(import.meta.dirname, 'main.ts'), env: { [SABOTAGE]: JSON.stringify(changes) } };
}
