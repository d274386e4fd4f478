/** The limits in docs/operate/limits.md match the code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const UNITS: Record<string, number> = { s: 1, min: 60, h: 3_600 };

interface Line {
  name: string;
  points: number;
  perSeconds: number;
}

function listInCode(): (Line & { scope: string })[] {
  const literal =
    /: RateLimit = \{\s*name: '([\w-]+)',\s*points: ([\d_]+),\s*perSeconds: ([^,]+),\s*scope: '(shared|process)',?\s*\}/g;
  return globSync('apps/server/src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found = [...text.matchAll(literal)];
    // Limits written in another form would be missed.
    expect([file, found.length]).toEqual([file, text.match(/: RateLimit = /g)?.length ?? 0]);
    return found.map(([, name, points, perSeconds, scope]) => ({
      name: name!,
      points: number(points!),
      perSeconds: perSeconds!
        .replaceAll('HOUR', '3600')
        .split('*')
        .map(number)
        .reduce((one, other) => one * other, 1),
      scope: scope!,
    }));
  });
}

function listInDocs(): Line[] {
  const text = readFileSync(join(ROOT, 'docs/operate/limits.md'), 'utf8');
  const rows = text.matchAll(/^\| `([\w-]+)` *\| (\d+) *\| (\d+) (s|min|h) *\|/gm);
  return [...rows].map(([, name, points, count, unit]) => ({
    name: name!,
    points: Number(points),
    perSeconds: Number(count) * UNITS[unit!]!,
  }));
}

function byName(one: Line, other: Line): number {
  return one.name.localeCompare(other.name);
}

function number(text: string): number {
  return Number(text.trim().replaceAll('_', ''));
}

test('every limit that processes share is in docs/operate/limits.md with its numbers', () => {
  const shared = listInCode()
    .filter(({ scope }) => scope === 'shared')
    .map(({ name, points, perSeconds }) => ({ name, points, perSeconds }));
  expect(listInDocs().toSorted(byName)).toEqual(shared.toSorted(byName));
});

test('no two limits share a name: they would share a count', () => {
  const names = listInCode().map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no limit counts by `request.ip`, since an IPv6 network has 2^64 addresses', () => {
  const files = globSync('apps/server/src/**/*.ts', { cwd: ROOT });
  expect(files.filter((file) => /\brequest\.ip\b/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
