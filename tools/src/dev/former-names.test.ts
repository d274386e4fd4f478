import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { e2eFolder } from './e2e.ts';
import { FORMER_PARTS, FORMER_SCREENSHOTS, FORMER_SPECS, presentName } from './former-names.ts';
import { listParts } from './parts.ts';
import { chooseParts } from './run-tier.ts';

/** The specs in these folders, by name. */
function listSpecs(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(e2eFolder, folder), { recursive: true, encoding: 'utf8' }))
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => basename(path, '.spec.ts'));
}

const targets: [kind: string, names: Record<string, string>, present: string[]][] = [
  ['browser test', FORMER_SPECS, listSpecs('tests', 'performance')],
  ['screenshot', FORMER_SCREENSHOTS, listSpecs('screenshots')],
  ['part', FORMER_PARTS, listParts().map(({ name }) => name)],
];

test.each(targets)('every former name of a %s leads to one that exists, and hides none', (_, names, present) => {
  expect(Object.values(names).filter((name) => !present.some((each) => each.includes(name)))).toEqual([]);
  expect(Object.keys(names).filter((name) => present.includes(name))).toEqual([]);
});

test('a former name works with a warning, a present one without', () => {
  using warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(presentName(FORMER_SPECS, 'face-checks')).toBe('public-site-diagnostics');
  expect(presentName(FORMER_SPECS, 'always-there-press.spec.ts')).toBe('pwa-notification-click');
  expect(chooseParts('gate', ['walls']).map(({ name }) => name)).toEqual(['boundaries']);
  expect(warn).toHaveBeenCalledTimes(3);
  expect(presentName(FORMER_SPECS, 'public-site-pages')).toBe('public-site-pages');
  expect(warn).toHaveBeenCalledTimes(3);
});
