import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

/** The number in docs/operate/limits.md. A server test compares the document with the code. */
export function documentedLimit(name: string): number {
  const text = readFileSync(join(REPO_ROOT, 'docs/operate/limits.md'), 'utf8');
  const row = new RegExp(`^\\| \`${name}\` *\\| (\\d+) *\\|`, 'm').exec(text);
  if (!row) throw new Error(`docs/operate/limits.md has no limit ${name}`);
  return Number(row[1]);
}
