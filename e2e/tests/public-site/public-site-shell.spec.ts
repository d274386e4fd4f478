import { expect, type Page } from '@playwright/test';
import { openHydrated, untilHydrated } from '../../support/site.ts';
import { test } from '../../support/error-watch.ts';

test.use({ serviceWorkers: 'allow' });

async function isDark(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.classList.contains('dark'));
}

async function pretendSignedIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (localStorage.getItem('globalSettings') === null) {
      localStorage.setItem('globalSettings', '{"isSignedInHere":true}');
    }
  });
  const account = '01890a5d-ac96-774b-bcce-b302099a8057';
  // These tests are not about messages: the API answers empty objects and the socket is silent.
  await page.route('**/api/**', (route) => route.fulfill({ json: {} }));
  await page.routeWebSocket('**/realtime', () => {});
  await page.route('**/api/session', (route) =>
    route.fulfill({ json: { account, device: '01890a5d-ac96-774b-bcce-b302099a8058' } }),
  );
  await page.route('**/api/auth/store-user', (route) => route.fulfill({ json: { success: true } }));
  await page.route('**/api/auth/user', (route) =>
    route.fulfill({
      json: {
        $id: account,
        email: 'aigerim@example.org',
        username: 'quietfalcon1234',
        lastOnline: null,
        FCMToken: [],
        publicKey: null,
        isVerified: true,
      },
    }),
  );
}

test('the language is switched on the same page, kept for a year, and taken up on the next visit', async ({
  page,
  context,
}) => {
  await openHydrated(page, '/about');
  await page.getByRole('button', { name: 'Language: English. Change language' }).click();
  await page.getByRole('link', { name: 'Қазақша' }).click();
  await expect(page).toHaveURL(/\/kz\/about$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'kk');
  await expect(page).toHaveTitle(/Жоба туралы/);
  const cookie = (await context.cookies()).find(({ name }) => name === 'locale');
  expect(cookie?.value).toBe('kz');
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(364 * 24 * 3600);
  await page.goto('/tutorials');
  await expect(page).toHaveURL(/\/kz\/tutorials$/);
});

test('going back across a switch shows the earlier language again, even after a reload', async ({ page }) => {
  await openHydrated(page, '/about');
  await page.getByRole('button', { name: /Language/ }).click();
  await page.getByRole('link', { name: 'Русский' }).click();
  await expect(page.locator('h1')).not.toHaveText('About');
  await page.reload();
  await untilHydrated(page);
  await page.goBack();
  // The cookie says Russian now, so a fresh load of the English URL leads to Russian; the text must match the URL.
  await expect
    .poll(async () => (await page.locator('html').getAttribute('lang')) === (page.url().includes('/ru/') ? 'ru' : 'en'))
    .toBe(true);
  await expect(page.locator('h1')).toBeVisible();
});

for (const [language, address, code] of [
  ['kk-KZ', '/kz/about', 'kz'],
  ['ru', '/ru/about', 'ru'],
  ['de-DE', '/about', 'en'],
]) {
  test(`a browser that speaks ${language} is shown ${address}, and remembers it for a year`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ locale: language ?? 'en' });
    const page = await context.newPage();
    await page.goto(`${site.origin}/about`);
    await expect(page).toHaveURL(site.origin + address);
    const cookie = (await context.cookies()).find(({ name }) => name === 'locale');
    expect(cookie?.value).toBe(code);
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(364 * 24 * 3600);
    await context.close();
  });
}

test('the theme is there before the first paint, follows the system, and is kept under its key', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openHydrated(page, '/about');
  expect(await isDark(page)).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => isDark(page)).toBe(false);
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  expect(await isDark(page)).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await page.goto('/tutorials', { waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await isDark(page)).toBe(true);
});

test('the home page is light for a visitor, and can be switched to dark', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await openHydrated(page, '/about');
  expect(await isDark(page)).toBe(true);
  await page.getByRole('link', { name: 'Dostar' }).first().click();
  await expect(page).toHaveURL('/');
  await expect.poll(() => isDark(page)).toBe(false);
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  expect(await isDark(page)).toBe(true);
});

test('a page for members sends a visitor to sign-in and remembers the way', async ({ page }) => {
  await page.goto('/kz/contacts/dina?x=1');
  await expect(page).toHaveURL('/kz/sign-in?next=%2Fcontacts%2Fdina%3Fx%3D1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Қош келдіңіз');
});

test('a member who opens the sign-in page is sent on, and signs out after the exact question', async ({ page }) => {
  await pretendSignedIn(page);
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ json: {} }) : route.fallback(),
  );
  await page.goto('/sign-in?next=%2Fcontacts');
  await expect(page).toHaveURL('/contacts');
  await page.getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to sign out?' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => localStorage.getItem('globalSettings'))).toContain('"isSignedInHere":false');
});

test('a signed-in user on a phone has three tabs at the bottom', async ({ page }) => {
  await pretendSignedIn(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/ru/settings');
  const nav = page.getByRole('navigation', { name: 'Главное меню' });
  await expect(nav.getByRole('link')).toHaveText(['Чаты', 'Профиль', 'Настройки']);
  await expect(nav.getByRole('link', { name: 'Настройки' })).toHaveAttribute('aria-current', 'page');
});

test('"Documentation" is a link of the footer in every language', async ({ page }) => {
  for (const [prefix, name] of [
    ['', 'Documentation'],
    ['/kz', 'Құжаттама'],
    ['/ru', 'Документация'],
  ]) {
    await openHydrated(page, `${prefix}/about`);
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: name ?? '?', exact: true })
      .click();
    await expect(page).toHaveURL(`${prefix}/tutorials`);
  }
});

test('the menu of a phone opens by keyboard, keeps the focus and gives it back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openHydrated(page, '/about');
  const opener = page.getByRole('button', { name: 'Open menu' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu).toBeVisible();
  await expect(menu.getByRole('link')).toHaveText([
    'Home',
    'About',
    'Contacts',
    'Profile',
    'Documentation',
    'Tutorials',
    'Components',
    'Settings',
    'Create account',
    'Sign in',
  ]);
  for (let press = 0; press < 12; press++) await page.keyboard.press('Tab');
  expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
});

test('the keyboard alone reaches every link and button of the landing page, the skip link first', async ({ page }) => {
  await openHydrated(page, '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await openHydrated(page, '/');
  const all = page.locator(':is(a, button, summary):visible');
  const left = page.locator(':is(a, button, summary):not([data-reached]):visible');
  expect(await all.count()).toBeGreaterThan(20);
  // Two rounds, because elements that React renders again have lost their mark.
  for (let press = 2 * (await all.count()); press > 0 && (await left.count()) > 0; press--) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => document.activeElement?.setAttribute('data-reached', ''));
  }
  await expect(left).toHaveCount(0);
});

test('text typed before the scripts arrive is kept', async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/sign-in', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('dina@mail.example');
  resolve();
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  );
  await expect(page.getByLabel('Email')).toHaveValue('dina@mail.example');
});

test('sign-in and sign-up show the texts of the specification', async ({ page }) => {
  await openHydrated(page, '/sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Email is required', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invalid email format', { exact: true })).toBeVisible();

  await openHydrated(page, '/sign-up');
  await page.getByRole('button', { name: 'Get code' }).click();
  for (const sentence of ['Email is required.', 'Password is required.', 'Password confirmation is required.']) {
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }
  await page.getByLabel('Email').fill('x');
  await page.getByLabel('Password', { exact: true }).fill('abc');
  await page.getByLabel('Confirm password').fill('abd');
  await page.keyboard.press('Enter');
  for (const sentence of [
    'Enter a valid email address.',
    'Password must be at least 4 characters long.',
    'Passwords must match.',
  ]) {
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }
});

test('a feedback banner is announced and goes away when pressed', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openHydrated(page, '/test');
  await page.getByRole('button', { name: 'Copy report' }).click();
  const banner = page.getByRole('status').getByRole('button');
  await expect(banner).toBeVisible();
  await banner.click();
  await expect(banner).toHaveCount(0);
});

test('settings change the page at once and are kept', async ({ page }) => {
  await openHydrated(page, '/settings');
  await page.getByRole('radio', { name: 'Large' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-text', 'large');
  await page.getByRole('switch', { name: /Reduce motion/ }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-text', 'large');
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'none');
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test('the counters are the real numbers', async ({ page }) => {
  await openHydrated(page, '/');
  await expect(page.locator('dl dd').first()).toHaveText(/^\d[\d,]*$/);
});
