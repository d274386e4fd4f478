// @vitest-environment node
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locales } from '../src/core/i18n/locale.ts';
import { writeWebManifest } from './discovery.ts';

/** The most that the pictures may weigh: a browser loads them even for a user who does not install the app. */
const mostBytes = 150 * 1024;

interface Screenshot {
  src: string;
  sizes: string;
  form_factor: string;
  label: string;
}

test.each(locales)('the pictures of the $code app exist, are small, and have the stated size', (locale) => {
  const { screenshots } = JSON.parse(writeWebManifest(locale)) as { screenshots: Screenshot[] };
  const files = screenshots.map(({ src }) => join(import.meta.dirname, '../public', src));
  expect(files.map(readWebpSize)).toEqual(screenshots.map(({ sizes }) => sizes));
  expect(new Set(screenshots.map(({ form_factor: form }) => form))).toEqual(new Set(['narrow', 'wide']));
  expect(screenshots.every(({ label }) => label !== '')).toBe(true);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(mostBytes);
});

test('browsers accept each picture: size and aspect ratio are in range, and equal for each form factor', () => {
  for (const locale of locales) {
    const { screenshots } = JSON.parse(writeWebManifest(locale)) as { screenshots: Screenshot[] };
    const ratios = new Map<string, number>();
    for (const { sizes, form_factor: form } of screenshots) {
      const [width = 0, height = 0] = sizes.split('x').map(Number);
      const [short = 0, long = 0] = [width, height].toSorted((a, b) => a - b);
      expect(short).toBeGreaterThanOrEqual(320);
      expect(long).toBeLessThanOrEqual(3840);
      expect(long / short).toBeLessThanOrEqual(2.3);
      expect(ratios.get(form) ?? width / height).toBe(width / height);
      ratios.set(form, width / height);
    }
  }
});

/** RFC 9649: the header of the extended format, which Chromium writes, contains each dimension minus one. */
function readWebpSize(file: string): string {
  const bytes = readFileSync(file);
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  return `${bytes.readUIntLE(24, 3) + 1}x${bytes.readUIntLE(27, 3) + 1}`;
}
