import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from './pages.ts';
import { replaceSections, wrapItem } from './sections.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

test.each(Object.entries(PAGES))('%s is up to date (./dev reference writes it)', (path, render) => {
  const page = readFileSync(join(ROOT, path), 'utf8');
  expect(page).toBe(render(page));
});

test('a section is replaced, and the text around it stays', () => {
  const page = 'before\n\n<!-- list: generated -->\n\nold\n\n<!-- list: end -->\n\nafter\n';
  expect(replaceSections(page, { list: 'new' })).toBe(page.replace('old', 'new'));
  expect(() => replaceSections(page, { other: 'new' })).toThrow('other');
});

test('an item is wrapped between words, not inside code', () => {
  const lines = wrapItem(`${'word '.repeat(23)}\`two words\` end`).split('\n');
  expect(lines).toEqual([`- ${'word '.repeat(23).trim()}`, '  `two words` end']);
});
