import { expect, type Page } from '@playwright/test';
import { locales, pages } from '../../support/pages.ts';
import { openHydrated } from '../../support/site.ts';
import { test } from '../../support/error-watch.ts';
import { findBroken } from '../../support/accessibility.ts';
import { nightly } from '../../support/tiers.ts';

interface Shift {
  value: number;
  what: string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

function watchShifts(): void {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      sources: { node?: Node }[];
    })[]) {
      window.shifts.push({ value: entry.value, what: entry.sources.map(({ node }) => node?.textContent ?? '') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** Expects no layout shift after the first paint, and nothing wider than the window. */
async function expectStill(page: Page, path: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await openHydrated(page, path);
  await expect(page.locator('h1')).toHaveCount(1);
  await untilDrawn(page);
  const shifts = await page.evaluate(() => window.shifts);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  // Zero to two decimals, as browsers report it: a busy browser may paint a header that it has only half parsed.
  expect(total, JSON.stringify(shifts)).toBeLessThan(0.005);
  await expectNoSideways(page, size.width);
}

async function expectNoSideways(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBeLessThanOrEqual(width);
}

/** Waits two frames after everything has loaded, so that React's last render is on screen. */
async function untilDrawn(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** One page of each kind. */
const inGate = new Set(['/', '/about', '/tutorials', '/sign-up', '/contacts/no', '/settings']);

for (const path of pages) {
  const tier = inGate.has(path) ? {} : nightly('One page of each kind is in the gate.');
  test(
    `${path} does not shift, passes the accessibility rules in both themes and fits 320 px`,
    tier,
    async ({ page }) => {
      await page.addInitScript(watchShifts);
      for (const size of sizes) await expectStill(page, path, size);
      expect(await findBroken(page)).toEqual([]);
      // The width of a window at high zoom.
      await page.setViewportSize({ width: 320, height: 640 });
      await expectNoSideways(page, 320);
    },
  );

  test(
    `${path} does not shift in Kazakh and Russian and fits 320 px`,
    nightly('The other languages of 24 pages at three sizes: 144 page loads.'),
    async ({ page }) => {
      await page.addInitScript(watchShifts);
      for (const { code, tag, prefix } of locales) {
        if (code === 'en') continue;
        for (const size of [...sizes, { width: 320, height: 640 }]) await expectStill(page, prefix + path || '/', size);
        await expect(page.locator('html')).toHaveAttribute('lang', tag);
      }
    },
  );
}
