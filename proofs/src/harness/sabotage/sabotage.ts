/**
 * Our server with one thing left out, for proofs that must notice.
 *
 * A phrase is struck out of the real source when it is loaded, so the rest stays the real thing; a phrase that is no
 * longer there is an error, not a variant that silently is none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO_ROOT } from '../lib/engines.ts';
import { SABOTAGE } from './change.ts';
import type { Change } from './change.ts';

/** The program to start in the server's place, and what it needs in its environment. */
export function sabotagedServer(changes: Change[]): { entry: string; env: Record<string, string> } {
  for (const { file, phrase } of changes) {
    const text = readFileSync(join(REPO_ROOT, 'apps/server/src', file), 'utf8');
    if (!text.includes(phrase)) throw new Error(`${file} does not contain: ${phrase}`);
  }
  return { entry: join(import.meta.dirname, 'main.ts'), env: { [SABOTAGE]: JSON.stringify(changes) } };
}
