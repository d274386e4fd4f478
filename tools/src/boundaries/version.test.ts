import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';

function read(file: string): string {
  return readFileSync(join(repoRoot, file), 'utf8');
}

test('the newest released version of the changelog is the one that the bundle, the about page, the command line and the README name', () => {
  const [, newest] = /^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m.exec(read('CHANGELOG.md')) ?? [];
  expect(newest).toBeDefined();
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(newest);
  expect(read('packages/protocol/src/product.ts')).toContain(`productVersion = '${newest}'`);
  expect(read('README.md')).toContain(`Version ${newest?.replace(/\.0$/, '')}.`);
});

test('a version of the changelog has only the sections Added, Changed, Fixed and Security, each once and in this order', () => {
  const [, ...versions] = read('CHANGELOG.md').split(/^## /m);
  const order = ['Added', 'Changed', 'Fixed', 'Security'];
  for (const text of versions) {
    const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(order.filter((name) => sections.includes(name)));
  }
});
