import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { locales } from '../support/pages.ts';
import { openHydrated } from '../support/site.ts';
import { test } from '../support/error-watch.ts';

const kilobyte = 1024;

interface Loaded {
  url: string;
  bytes: number;
}

/** Everything that the page loads until it is quiet, with gzip sizes of scripts and styles. */
async function weigh(page: Page, path: string): Promise<Loaded[]> {
  const loaded: Promise<Loaded>[] = [];
  page.on('response', (response) => {
    const url = response.url();
    if (!/\.(js|css|woff2)$/.test(new URL(url).pathname)) return;
    // The debug panel is loaded only on this machine, not in production.
    if (url.includes('/debug-details-')) return;
    loaded.push(
      response.body().then((body) => ({
        url,
        bytes: url.endsWith('.woff2') ? body.length : gzipSync(body, { level: 9 }).length,
      })),
    );
  });
  await openHydrated(page, path);
  // Waits for fonts and late scripts. `networkidle` never happens because of a chat's socket and the counters' polling.
  await page.waitForTimeout(1000);
  return await Promise.all(loaded);
}

function sum(loaded: Loaded[], matches: (entry: Loaded) => boolean): number {
  return loaded.filter(matches).reduce((total, { bytes }) => total + bytes, 0) / kilobyte;
}

const isScript = ({ url }: Loaded): boolean => new URL(url).pathname.endsWith('.js');
const isStyle = ({ url }: Loaded): boolean => new URL(url).pathname.endsWith('.css');
const isFont = ({ url }: Loaded): boolean => new URL(url).pathname.endsWith('.woff2');

test('the landing page asks for at most 150 KB of script and 25 KB of style', async ({ page }) => {
  const loaded = await weigh(page, '/');
  expect(sum(loaded, isScript)).toBeLessThanOrEqual(150);
  expect(sum(loaded, isStyle)).toBeLessThanOrEqual(25);
});

test('the sign-in form takes text before any script, and the whole page loads at most 151 KB of it', async ({
  page,
}) => {
  const loaded = await weigh(page, '/sign-in');
  expect(sum(loaded, isScript)).toBeLessThanOrEqual(151);
});

for (const { code, prefix } of locales) {
  test(`the fonts of ${code} weigh at most 60 KB`, async ({ page }) => {
    const loaded = await weigh(page, prefix || '/');
    expect(sum(loaded, isFont)).toBeLessThanOrEqual(60);
    expect(sum(loaded, isFont)).toBeGreaterThan(0);
  });
}

test('the font has all characters of Kazakh, in every weight', async ({ page }) => {
  await openHydrated(page, '/kz');
  const missing = await page.evaluate(async () => {
    const [weights, letters] = [['400', '600', '700'], 'ӘәҒғҚқҢңӨөҰұҮүҺһІі'];
    // Loads the font files of the site under another name with `display: block`. The site's own `display: optional` makes
    // the browser ignore a file that loads late, and this test is about the characters, not about speed.
    for (const rule of Array.from(document.styleSheets).flatMap(({ cssRules }) => Array.from(cssRules))) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const base = rule.parentStyleSheet?.href ?? location.href;
      const source = rule.style
        .getPropertyValue('src')
        .replace(/url\("([^"]+)"\)/g, (_, url: string) => `url("${new URL(url, base).href}")`);
      const face = new FontFace('Probe', source, {
        weight: rule.style.getPropertyValue('font-weight'),
        unicodeRange: rule.style.getPropertyValue('unicode-range'),
        display: 'block',
      });
      document.fonts.add(await face.load());
    }
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas === null) return ['no canvas'];
    function measure(letter: string, font: string): number {
      canvas!.font = font;
      return canvas!.measureText(letter).width;
    }
    // The fallback font draws a character that the font lacks, so its width changes with the fallback.
    return weights.flatMap((weight) =>
      Array.from(letters).filter(
        (letter) =>
          measure(letter, `${weight} 100px Probe, monospace`) !== measure(letter, `${weight} 100px Probe, serif`),
      ),
    );
  });
  expect(missing).toEqual([]);
});
