/** The API reference for developers works without the app, and can be read without scripts. */
import { expect } from '@playwright/test';
import { findBroken } from '../../support/accessibility.ts';
import { test } from '../../support/error-watch.ts';

const REFERENCE = '/docs/api';

test('the API reference finds endpoints, keeps every rule of accessibility in both themes and fits 320 px', async ({
  page,
}) => {
  await page.goto('/about');
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();

  // The page is large: its heading shows before the last endpoint is parsed.
  await page.waitForLoadState('load');
  const calls = page.locator('details.call');
  const all = await calls.count();
  expect(all).toBeGreaterThan(180);
  await page.getByRole('searchbox', { name: 'Find an endpoint' }).fill('messages/send');
  await expect(page.getByText('1 endpoint', { exact: true })).toBeVisible();
  await expect(calls.filter({ visible: true })).toHaveCount(1);
  await page.locator('details.call:not([hidden]) > summary').click();
  await expect(page.getByText('Sends an encrypted message')).toBeVisible();
  await expect(page.locator('#api-sendMessage pre').first()).toContainText('MessageId');
  expect(await findBroken(page)).toEqual([]);

  await page.getByRole('searchbox').fill('');
  await expect(calls.filter({ visible: true })).toHaveCount(all);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a link to an endpoint opens it', async ({ page }) => {
  await page.goto(`${REFERENCE}#api-getSession`);
  await expect(page.locator('#api-getSession .body')).toBeVisible();
  await expect(page.locator('#api-sendMessage .body')).toBeHidden();
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the API reference can be read', async ({ page }) => {
    await page.goto(REFERENCE);
    await expect(page.getByRole('search')).toBeHidden();
    await page.locator('#api-sendMessage > summary').click();
    await expect(page.locator('#api-sendMessage .body')).toBeVisible();
  });
});
