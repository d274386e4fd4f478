// @vitest-environment node
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locales } from '../src/core/i18n/locale.ts';
import { writeWebManifest } from './discovery.ts';

/** What a browser would load for a user who may not even install it. */
const mostBytes = 150 * 1024;

interface Screenshot {
  src: string;
  sizes: string;
  form_factor: string;
  label: string;
}

test.each(locales)('the pictures of the $code app are there, small and as large as said', (locale) => {
  const { screenshots } = JSON.parse(writeWebManifest(locale)) as { screenshots: Screenshot[] };
  const files = screenshots.map(({ src }) => join(import.meta.dirname, '../public', src));
  expect(files.map(readWebpSize)).toEqual(screenshots.map(({ sizes }) => sizes));
  expect(new Set(screenshots.map(({ form_factor: form }) => form))).toEqual(new Set(['narrow', 'wide']));
  expect(screenshots.every(({ label }) => label !== '')).toBe(true);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(mostBytes);
});

test('a browser takes each picture: neither too small, too large nor too long, and all of one form alike', () => {
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

/** RFC 9649: the size less one stands in the head of the extended format, in which Chromium writes. */
function readWebpSize(file: string): string {
  const bytes = readFileSync(file);
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  return `${bytes.readUIntLE(24, 3) + 1}x${bytes.readUIntLE(27, 3) + 1}`;
}
