/** Google Analytics runs only if the operator has configured it and the user has agreed. */
import { type AnalyticsCollector, startAnalyticsCollector } from '@dostar/tools/servers';
import type { Page } from '@playwright/test';
import { expect, newEmail, signUp, test as people } from '../../support/people.ts';
import { type Site, startSite } from '../../support/site.ts';
import { nightly } from '../../support/tiers.ts';

const HOST = 'https://www.google-analytics.com';
const ask = 'Share usage statistics?';

const test = people.extend<{ collector: AnalyticsCollector }, { measured: Site }>({
  measured: [
    async ({ inbox }, use) => {
      const names = ['apiKey', 'authDomain', 'projectId', 'storageBucket', 'messagingSenderId', 'appId'];
      const settings = { ...Object.fromEntries(names.map((name) => [name, 'x'])), measurementId: 'G-TEST1' };
      const env = { SMTP_URL: inbox.smtpUrl, FIREBASE_WEB_CONFIG: JSON.stringify(settings) };
      await using site = await startSite(env, 'site,api,gateway,worker');
      await use(site);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  collector: async ({ page }, use) => {
    await using collector = await startAnalyticsCollector();
    await use(collector);
    // A page view may still be in flight.
    await page.unrouteAll({ behavior: 'wait' });
  },
});

/** Redirects calls to Google Analytics to the stand-in, and lists calls to any other site: there must be none. */
async function divert(page: Page, { url }: AnalyticsCollector): Promise<string[]> {
  const others: string[] = [];
  const own = /^(?:http:\/\/localhost|data:|blob:)/;
  page.on('request', (request) => {
    if (!own.test(request.url()) && !request.url().startsWith(`${HOST}/g/collect?`)) others.push(request.url());
  });
  await page.route(`${HOST}/**`, async (route) => {
    const { search } = new URL(route.request().url());
    const response = await route.fetch({ url: `${url}${search}`, headers: route.request().headers() });
    await route.fulfill({ response });
  });
  return others;
}

test.describe('where the operator has configured it', () => {
  test.use({ baseURL: async ({ measured }, use) => use(measured.origin) });

  test('analytics ask once, send page patterns after consent, and stop when consent is withdrawn', async ({
    page,
    inbox,
    collector,
  }) => {
    const others = await divert(page, collector);
    const account = await signUp(page, inbox, newEmail('counted'), 'a password of mine');
    await page.goto('/contacts');
    await expect(page.getByText(ask)).toBeVisible();
    expect(collector.hits).toEqual([]);

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await expect(page.getByText(ask)).toHaveCount(0);
    await expect.poll(() => pagesOf(collector)).toEqual(['/contacts']);
    await page.goto(`/contacts/${account.username}?from=somewhere#here`);
    await expect.poll(() => pagesOf(collector)).toContain('/contacts/:username');
    await page.goto('/settings/privacy');
    const choice = page.getByRole('switch', { name: 'Share usage statistics with Google Analytics' });
    await expect(choice).toBeChecked();
    await expect.poll(() => pagesOf(collector)).toContain('/settings/privacy');

    await choice.click();
    await expect(choice).not.toBeChecked();
    const before = collector.hits.length;
    await page.goto('/contacts');
    await page.goto('/settings/privacy');
    await expect(choice).not.toBeChecked();
    // Giving consent sends the view of the present page.
    await choice.click();
    await expect.poll(() => collector.hits.length).toBe(before + 1);

    expect(JSON.stringify(collector.hits)).not.toContain(account.username);
    expect(JSON.stringify(collector.hits)).not.toContain(account.id);
    expect(collector.complaints).toEqual([]);
    expect(others).toEqual([]);
  });

  test(
    'a refusal is stored in the browser, and nothing is sent',
    nightly('The unit tests of the consent test a refusal.'),
    async ({ page, inbox, collector }) => {
      await divert(page, collector);
      await signUp(page, inbox, newEmail('uncounted'), 'a password of mine');
      await page.goto('/contacts');
      await page.getByRole('button', { name: 'Don’t share' }).click();
      await page.goto('/settings/privacy');
      await expect(page.getByRole('switch', { name: /Google Analytics/ })).not.toBeChecked();
      expect(collector.hits).toEqual([]);
    },
  );

  test(
    'a browser that asks not to be tracked counts as a refusal',
    nightly('A rarer path to the same refusal.'),
    async ({ page, inbox, collector }) => {
      await divert(page, collector);
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
      });
      await signUp(page, inbox, newEmail('untracked'), 'a password of mine');
      await page.goto('/contacts');
      await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
      await page.getByRole('link', { name: 'How we protect you', exact: true }).first().click();
      await expect(page.getByText('Your browser asks sites not to track you')).toBeVisible();
      await expect(page.getByRole('switch', { name: /Google Analytics/ })).toBeDisabled();
      // The same document, which has already loaded the operator's settings.
      await page.goBack();
      await page.goBack();
      await expect(page).toHaveURL(/\/contacts$/);
      await expect(page.getByRole('link', { name: 'Settings', exact: true }).first()).toBeVisible();
      await expect(page.getByText(ask)).toHaveCount(0);
      expect(collector.hits).toEqual([]);
    },
  );
});

test('without the settings analytics ask, load and allow nothing', async ({ page, inbox, collector }) => {
  const others = await divert(page, collector);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('analytics-life')) scripts.push(request.url());
  });
  const cloud = page.waitForResponse((response) => response.url().endsWith('/api/push/cloud'));
  await signUp(page, inbox, newEmail('elsewhere'), 'a password of mine');
  expect(await (await cloud).json()).toEqual({ settings: null });
  const response = await page.goto('/settings/privacy');
  expect(response?.headers()['content-security-policy']).not.toContain('google');
  await expect(page.getByRole('heading', { name: 'What we never do' })).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  expect([...scripts, ...others, ...collector.hits]).toEqual([]);
});

function pagesOf({ hits }: AnalyticsCollector): string[] {
  return hits.map(({ dl = '' }) => dl.replace(/^https?:\/\/[^/]+/, ''));
}
