// @vitest-environment node
/** The chunk groups name files. If a file is renamed, its group loses it without a build error. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chunkGroups } from './chunks.ts';
import { precachedLazyModules } from './service-worker.ts';

const root = join(import.meta.dirname, '../../..');
const sources = globSync(['apps/web/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd: root });
const icons = globSync('lucide-react/dist/esm/icons/*.{js,mjs}', { cwd: join(import.meta.dirname, '../node_modules') });
const files = [...sources, ...icons].map((file) => `/${file}`);
const groups = chunkGroups.filter(({ test: { source } }) => /src|icons/.test(source));

function count(pattern: string): number {
  return files.filter((file) => new RegExp(pattern).test(file)).length;
}

/** Names that can be removed from a pattern without a change in the files that it matches. */
function listDeadNames({ source }: RegExp): string[] {
  // Only our own files and icons are listed here.
  const own = source.replaceAll(/node_modules\\\/[^|]*\|?/g, '');
  return [...own.matchAll(/\[[^\]]*\]|[a-z][a-z-]+/g)]
    .filter(([name]) => !name.startsWith('['))
    .filter(({ 0: name, index }) => count(own) === count(`${own.slice(0, index)}§${own.slice(index + name.length)}`))
    .map(([name]) => name);
}

test.each(groups)('each name of the group $name matches a file', ({ test: pattern }) => {
  expect(listDeadNames(pattern)).toEqual([]);
});

test('a name without a file is noticed', () => {
  expect(listDeadNames(/src\/core\/lib\/(paths|gone)\.ts$/)).toEqual(['gone']);
});

test('each module that the service worker precaches exists', () => {
  const names = new Set(sources.map((file) => file.replace(/^.*\/|\.tsx?$/g, '')));
  expect(precachedLazyModules.filter((name) => !names.has(name.split('/').at(-1)!))).toEqual([]);
});
