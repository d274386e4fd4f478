/** Each code block of a recipe names a file that contains it, so that a recipe never shows outdated code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';

const folder = 'docs/start/recipes';
const recipes = readdirSync(join(repoRoot, folder)).filter((name) => name.endsWith('.md'));

function read(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8');
}

interface Quotation {
  path: string;
  /** The parts between `…`, in the order of the file. */
  excerpts: string[];
}

/** Code blocks whose first line is ```LANGUAGE PATH. */
function listQuotations(text: string): Quotation[] {
  return [...text.matchAll(/^ *```\w+ (\S+)\n([\s\S]*?)^ *```$/gm)].map(([, path = '', body = '']) => ({
    path,
    excerpts: body.split(/^ *…$/m).map(withoutIndent),
  }));
}

function withoutIndent(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function stands({ path, excerpts }: Quotation): boolean {
  if (!existsSync(join(repoRoot, path))) return false;
  let rest = withoutIndent(read(path));
  for (const excerpt of excerpts) {
    const at = rest.indexOf(excerpt);
    if (at === -1) return false;
    rest = rest.slice(at + excerpt.length);
  }
  return true;
}

test.each(recipes)('the code in %s is the code of the tree', (name) => {
  const quotations = listQuotations(read(join(folder, name)));
  // This recipe compares code in several places and quotes a single file.
  if (name !== 'preference.md') expect(quotations.length).toBeGreaterThan(1);
  expect(quotations.filter((quotation) => !stands(quotation))).toEqual([]);
});

/** Rows of a table with the columns "File" and "Look for". */
function listSearches(text: string): Quotation[] {
  const [, rows = ''] = /^\| File +\| Look for +\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...rows.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm)].map(([, path = '', excerpt = '']) => ({
    path,
    excerpts: [excerpt],
  }));
}

test('what preference.md says to look for is in the files that it names', () => {
  const searches = listSearches(read(join(folder, 'preference.md')));
  expect(searches.length).toBeGreaterThan(5);
  expect(searches.filter((search) => !stands(search))).toEqual([]);
});

test('a quotation that has changed, has another order or names no file is noticed', () => {
  const path = 'packages/protocol/src/product.ts';
  expect(stands({ path, excerpts: ["export const productName = 'Dostar';", 'productVersion'] })).toBe(true);
  expect(stands({ path, excerpts: ["export const productName = 'Other';"] })).toBe(false);
  expect(stands({ path, excerpts: ['productVersion', "export const productName = 'Dostar';"] })).toBe(false);
  expect(stands({ path: 'packages/none.ts', excerpts: [''] })).toBe(false);
});
