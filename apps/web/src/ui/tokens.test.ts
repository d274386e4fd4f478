import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '..');
const named = /#[\da-f]{3,8}\b(?![^\n]*\*\/)|\b(?:rgba?|hsla?|oklch|oklab)\(|-\[#/i;

function listColours(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx|css)$/.test(file) && !file.endsWith('tokens.css') && !file.includes('.test.'))
    .flatMap((file) =>
      readFileSync(join(source, file), 'utf8')
        .split('\n')
        .map((line, index) => ({
          line: line.replace(/url\([^)]*\)|href="#[^"]*"|`url\(#[^`]*`/g, ''),
          at: `${file}:${index + 1}`,
        }))
        .filter(({ line }) => named.test(line))
        .map(({ at, line }) => `${at} ${line.trim()}`),
    );
}

it('only the tokens name colours', () => {
  expect(listColours()).toEqual([]);
});
