// Licences whose packages we may use. A package with any other licence fails the check until an engineer has read it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf } from './packages.ts';
import type { InstalledPackage } from './packages.ts';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/**
 * Packages that an engineer has read. Their licences require that we pass on their source, not ours, since they are
 * unchanged.
 */
const read: Record<string, string> = {
  '@fontsource-variable/onest': 'OFL-1.1',
  '@img/sharp-libvips-linux-arm64': 'LGPL-3.0-or-later',
  '@img/sharp-libvips-linux-x64': 'LGPL-3.0-or-later',
  'libheif-js': 'LGPL-3.0',
  mediabunny: 'MPL-2.0',
  'web-push': 'MPL-2.0',
};

export function isAllowed({ name, licence }: Pick<InstalledPackage, 'name' | 'licence'>): boolean {
  return read[name] === licence || licence.split(' OR ').some((choice) => choice.split(' AND ').every(isPermissive));
}

function isPermissive(licence: string): boolean {
  return allowed.has(licence.replaceAll(/[()]/g, '').trim());
}

/** Writes the name and text of each licence, as the licences require. */
export function writeLicences(root: string, packages: InstalledPackage[]): string {
  return packages
    .filter(({ isOurs }) => !isOurs)
    .map((one) => {
      const texts = readTexts(join(root, one.folder));
      return [`${'='.repeat(80)}\n${keyOf(one)}  ${one.licence}\n`, ...texts].join('\n');
    })
    .join('\n');
}

function readTexts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .toSorted()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`);
}
