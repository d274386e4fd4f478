import { expect, test } from '@playwright/test';
import { findBroken } from './support/accessibility.ts';

test('a broken rule is found, and what is broken in the dark alone too', async ({ page }) => {
  await page.setContent(`
    <html lang="en"><title>Broken</title>
    <style>p { color: #000; background: #fff } .dark p { color: #333; background: #222 }</style>
    <main><h1>Broken</h1><img src="data:,"><p>Words</p></main></html>`);
  const found = (await findBroken(page)).map(({ theme, rule }) => `${theme} ${rule}`);
  expect(found).toEqual(['light image-alt', 'dark color-contrast']);
});
