/** The self-check pages: the results for a user, and the report for support. */
import { expect } from '@playwright/test';
import { openHydrated } from '../../support/site.ts';
import { test } from '../../support/error-watch.ts';
import { nightly } from '../../support/tiers.ts';

test('a current browser passes every check that needs no account, and lists the checks that need one', async ({
  page,
}) => {
  for (const path of ['/test', '/test2', '/test3', '/test4']) {
    await openHydrated(page, path);
    await expect(page.getByRole('status').first(), path).toHaveText('All available checks passed.');
    await expect(page.getByText('problem', { exact: true }), path).toHaveCount(0);
  }
  await openHydrated(page, '/test2');
  await expect(page.getByText(/\bOK\b/)).toHaveCount(8);
  await expect(page.locator('pre')).toContainText('[pass] engine');
  await expect(page.locator('pre')).toContainText('[pass] unlock');
  await openHydrated(page, '/test3');
  await expect(page.getByText('sign in first')).toHaveCount(2);
});

test(
  'the report names every check and can be copied',
  nightly('A page for support; its first test stays in the gate.'),
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openHydrated(page, '/ru/test');
    await page.getByRole('button', { name: 'Скопировать отчёт' }).click();
    await expect(page.getByText('Отчёт скопирован')).toBeVisible();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect(report).toMatch(/^Dostar \/test\nbuild \w+, /);
    expect(report).toContain('[pass] crypto');
    expect(report).toContain('[pass] letters');
  },
);

test(
  'a check that fails says what to do about it',
  nightly('A page for support; its first test stays in the gate.'),
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
    });
    await openHydrated(page, '/kz/test');
    await expect(page.getByRole('status').first()).toHaveText('Назар аударыңыз: 1 ақау табылды.');
    await expect(page.getByText('Осы мекенжай үшін cookie файлдарына рұқсат беріңіз.')).toBeVisible();
  },
);

test(
  'changed texts are reported by the page that shows them',
  nightly('A page for support; its first test stays in the gate.'),
  async ({ page, watched }) => {
    await page.route('**/en/checks.json', async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: (await reply.text()).replace('Check again', 'Check agaix') });
    });
    await page.goto('/test');
    await expect(page.getByRole('status').first()).toHaveText('1 problem found.');
    await expect(page.locator('pre')).toContainText(/\[fail\] program \(differs: \S+\/en\/checks\.json\)/);
    // React reports it too: the drawn text differs from the prerendered HTML.
    expect(watched.errors.splice(0)).toEqual([expect.stringContaining('React error #418')]);
  },
);

test('a page makes neither elements nor scripts out of text', async ({ page, watched }) => {
  await page.goto('/about');
  const found = await page.evaluate(() => {
    const place = document.createElement('p');
    document.body.append(place);
    place.innerHTML = 'a & b';
    const text = place.textContent;
    let refused = '';
    try {
      place.innerHTML = '<img src="/favicon.svg">';
    } catch (error) {
      refused = String(error);
    }
    const script = document.createElement('script');
    script.innerHTML = 'window.name = "changed"';
    document.body.append(script);
    return { text, refused, images: place.querySelectorAll('img').length, name: window.name };
  });
  expect(found).toEqual({ text: 'a & b', refused: 'TypeError: html', images: 0, name: '' });
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('will not be executed')]);
});

test('a browser that can’t store keys shows which ones can', async ({ page, browser, site }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { name: 'Open the secure site' })).toBeVisible();
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: 'About', exact: true })).toBeVisible();

  const inside = await browser.newPage({
    userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram',
  });
  await inside.goto(`${site.origin}/ru/sign-up`);
  await expect(inside.getByRole('heading', { name: 'Откройте в браузере' })).toBeVisible();
  await inside.close();
});
