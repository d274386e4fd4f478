/** Writes the generated sections of the pages for operators: `./dev reference`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
for (const [path, render] of Object.entries(PAGES)) {
  const file = join(ROOT, path);
  writeFileSync(file, render(readFileSync(file, 'utf8')));
}
