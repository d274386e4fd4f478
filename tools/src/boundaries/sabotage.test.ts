import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { listTrackedFiles } from '../dev/git-files.ts';

/** Files that may define variants. */
const VARIANTS = ['proofs/src/*.ts', 'packages/client/test/*.ts'];

/** Folders to which the paths in variants are relative. */
const ROOTS = ['apps/server/src', 'packages/client/src', 'tools/src', 'apps/web', ''];

/** `file: X, phrase: Y, replacement: …`; X is a string or a constant, Y a string. */
const CHANGE =
  /\bfile: ('[^']+'|[A-Z_]+),\s+phrase:\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)(?:,| \})/g;

interface Change {
  at: string;
  file: string;
  phrase: string;
}

/** The value of a string literal in single or double quotes or in backticks. */
function readLiteral(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

async function listChanges(): Promise<{ changes: Change[]; count: number }> {
  const changes: Change[] = [];
  let count = 0;
  for (const at of await listTrackedFiles(...VARIANTS)) {
    const text = readFileSync(join(repoRoot, at), 'utf8');
    if (!text.includes('replacement:')) continue;
    count += text.match(/\bphrase:(?! string)/g)?.length ?? 0;
    for (const [, file = '', phrase = ''] of text.matchAll(CHANGE)) {
      const name = file.startsWith("'") ? file : new RegExp(`const ${file} = ('[^']+');`).exec(text)?.[1];
      changes.push({ at, file: readLiteral(name ?? "''"), phrase: readLiteral(phrase) });
    }
  }
  return { changes, count };
}

function isThere({ file, phrase }: Change): boolean {
  return ROOTS.map((root) => join(repoRoot, root, file)).some(
    (path) => existsSync(path) && readFileSync(path, 'utf8').includes(phrase),
  );
}

test('every phrase that a proof or a test replaces in the source is still in the source', async () => {
  const { changes, count } = await listChanges();
  expect(changes.length).toBe(count);
  expect(changes.filter((change) => !isThere(change))).toEqual([]);
});
