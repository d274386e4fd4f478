import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findScreenshot } from './screenshots.ts';

test.each(['en', 'kz', 'ru'] as const)('every screenshot that was taken for %s is found', (code) => {
  const files = readdirSync(join(import.meta.dirname, 'screenshots', code));
  expect(files.length).toBeGreaterThan(3);
  const urls = files.map((file) => {
    const [, name = '', theme] = /^(.+)-(light|dark)\.webp$/.exec(file) ?? [];
    return findScreenshot(code, name, theme as 'light' | 'dark');
  });
  expect(urls).not.toContain(undefined);
});
