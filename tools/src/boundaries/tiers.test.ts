import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listParts } from '../dev/parts.ts';
import { repoRoot } from '../servers/folders.ts';
import { listTrackedFiles } from '../dev/git-files.ts';

/** A tag followed by a sentence. */
const TAG_WITH_REASON = /@module-tag (?:gate|nightly): [A-Z].{14,}\./;

async function listTests(pattern: string): Promise<{ file: string; text: string }[]> {
  return (await listTrackedFiles(pattern)).map((file) => ({ file, text: readFileSync(join(repoRoot, file), 'utf8') }));
}

test('a test file that is not in the tier of every commit says why', async () => {
  const tagged = (await listTests('*.test.ts*')).filter(({ text }) => /^\s*(?:\/\/|\/?\*+) @module-tag/m.test(text));
  expect(tagged.length).toBeGreaterThan(0);
  expect(tagged.filter(({ text }) => !TAG_WITH_REASON.test(text)).map(({ file }) => file)).toEqual([]);
});

test('a browser test is taken out of the gate by nightly() or measured(), which ask why', async () => {
  const specs = await listTests('e2e/*.spec.ts');
  expect(specs.length).toBeGreaterThan(0);
  expect(
    specs.filter(({ text }) => /\btag: ?\[?['"`]|test\.skip\(|test\.fixme\(/.test(text)).map(({ file }) => file),
  ).toEqual([]);
});

test('every nightly part says why, names are unique, and what a part needs exists before it', () => {
  const parts = listParts();
  expect(parts.filter(({ tier, why }) => tier === 'nightly' && !why)).toEqual([]);
  const names = parts.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { needs = [] }] of parts.entries()) {
    for (const name of needs) expect(names.slice(0, index)).toContain(name);
  }
});
