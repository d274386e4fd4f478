import { expect, test } from '@playwright/test';
import { findBroken } from '../../support/accessibility.ts';

test('findBroken reports a broken rule, and a contrast that is too low in the dark theme only', async ({ page }) => {
  await page.setContent(`
    <html lang="en"><title>Broken</title>
    <style>p { color: #000; background: #fff } .dark p { color: #333; background: #222 }</style>
    <main><h1>Broken</h1><img src="data:,"><p>Words</p></main></html>`);
  const found = (await findBroken(page)).map(({ theme, rule }) => `${theme} ${rule}`);
  expect(found).toEqual(['light image-alt', 'dark color-contrast']);
});
