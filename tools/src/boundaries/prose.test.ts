/** Rules for comments, test names, documents and English texts: plain words, short lines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { findDenied, listDeniedWords, listProse } from './denied-words.ts';

const LONGEST_LINE = 140;

test('no prose uses a word of the denylist', async () => {
  const hits = await listDeniedWords();
  expect(hits.map(({ path, line, word }) => `${path}:${line}: ${word}`)).toEqual([]);
});

test('the denylist finds words in comments, test names, checks, documents and texts', () => {
  expect(listWords('a.ts', '// Nobody.\nconst nobody = 1; /** Whoever\n * asks anew. */')).toEqual([
    'Nobody',
    'Whoever',
    'anew',
  ]);
  expect(listWords('a.test.ts', "test('a letter arrives', () => send('letter'));")).toEqual(['letter']);
  expect(listWords('a.ts', "report.check('a letter arrives', isLetter('letter'));")).toEqual(['letter']);
  expect(listWords('a.sql', "select 'nobody'; -- for somebody")).toEqual(['somebody']);
  expect(listWords('a.yaml', 'name: nobody # whoever')).toEqual(['whoever']);
  expect(listWords('a.md', 'A wish, and `nobody` in code.')).toEqual(['wish']);
  expect(listWords('apps/web/src/locales/en/a.json', '{ "nobody": "Nobody" }')).toEqual(['Nobody']);
});

test('the denylist allows characters of the alphabet, and ignores code', () => {
  expect(findDenied('a.md', 'Capital letters, letters and digits, `whoever`.')).toEqual([]);
  expect(findDenied('a.ts', "const url = 'https://example.org/nobody';")).toEqual([]);
});

test(`lines of documents have at most ${LONGEST_LINE} characters`, async () => {
  const long = (await listProse())
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      readFileSync(join(repoRoot, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > LONGEST_LINE ? [`${path}:${index + 1}: ${line.length}`] : [])),
    );
  expect(long).toEqual([]);
});

function listWords(path: string, text: string): string[] {
  return findDenied(path, text).map(({ word }) => word);
}
