import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { locales, pages } from './support/pages.ts';
import { openHydrated, test } from './support/site.ts';
import { setDark } from './support/theme.ts';

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

for (const path of pages) {
  test(`${path} stands still and speaks its language`, async ({ page }) => {
    await page.addInitScript(watchShifts);
    for (const { tag, prefix } of locales) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await openHydrated(page, prefix + path || '/');
        await expect(page.locator('html')).toHaveAttribute('lang', tag);
        await expect(page.locator('h1')).toHaveCount(1);
        // A key instead of a sentence: the catalogue lacks it.
        await expect(page.locator('body')).not.toContainText(/\b[a-z]+\.[a-z]\w*\.(title|text|label|hint)\b/);
        await page.waitForTimeout(150);
        const shifts = await page.evaluate(() => window.shifts);
        const total = shifts.reduce((sum, { value }) => sum + value, 0);
        // Zero as it is reported everywhere, to two decimals: a busy browser paints a header of which it has read half.
        expect(total, JSON.stringify(shifts)).toBeLessThan(0.005);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      }
    }
  });

  test(`${path} breaks no rule of accessibility in either theme`, async ({ page }) => {
    await openHydrated(page, path);
    for (const theme of ['light', 'dark']) {
      await setDark(page, theme === 'dark');
      await page.waitForTimeout(200);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });
}

test('every page fits 320 px, where zoomed-in people live', async ({ page }) => {
  // Sixty-nine pages, one after the other.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { prefix } of locales) {
    for (const path of pages) {
      await page.goto(prefix + path || '/');
      expect(await page.evaluate(() => document.documentElement.scrollWidth), prefix + path).toBeLessThanOrEqual(320);
    }
  }
});
