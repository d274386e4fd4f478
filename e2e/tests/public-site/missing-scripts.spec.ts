/** If files of an earlier build are gone from the server, the page reloads once per path within ten seconds. */
import type { Page } from '@playwright/test';
import { expect, test } from '../../support/base.ts';
import { openHydrated, untilHydrated } from '../../support/site.ts';
import { nightly } from '../../support/tiers.ts';

const MODULE = '**/assets/tutorials-page-*.js';

/** The paths of all requested documents, in order. */
function listDocuments(page: Page): string[] {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  return documents;
}

/** Answers requests for the module with 404 while `isGone` returns true. */
async function removeModule(page: Page, isGone: () => boolean = () => true): Promise<void> {
  await page.route(MODULE, (route) => (isGone() ? route.fulfill({ status: 404 }) : route.fallback()));
  // Registered before the page's own handler, which may reload the page.
  await page.addInitScript(() => {
    addEventListener(
      'error',
      ({ target }) => {
        if (target instanceof HTMLScriptElement) document.documentElement.dataset['failed'] = 'yes';
      },
      true,
    );
  });
}

async function openTutorials(page: Page): Promise<void> {
  await page.getByRole('contentinfo').getByRole('link', { name: 'Tutorials' }).click();
}

test('navigating to a page whose module is gone loads that page once, and arrives', async ({ page }) => {
  const documents = listDocuments(page);
  await removeModule(page, () => documents.length === 1);
  await openHydrated(page, '/about');
  await openTutorials(page);
  await expect.poll(() => documents).toEqual(['/about', '/tutorials']);
  await untilHydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(documents).toEqual(['/about', '/tutorials']);
});

test(
  'a module that stays missing costs one reload, and the page can still be read',
  nightly('A rarer path of the same guard.'),
  async ({ page }) => {
    const documents = listDocuments(page);
    await removeModule(page);
    await openHydrated(page, '/about');
    await openTutorials(page);
    await page.waitForFunction(() => document.documentElement.dataset['failed'] === 'yes');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto('/components');
    expect(documents).toEqual(['/about', '/tutorials', '/components']);
  },
);

test(
  'within ten seconds of a reload a missing module shows the error page at its address',
  nightly('A rarer path of the same guard.'),
  async ({ page }) => {
    const documents = listDocuments(page);
    await removeModule(page);
    await openHydrated(page, '/about');
    await page.evaluate(() => sessionStorage.setItem('reloaded:/tutorials', String(Date.now())));
    await openTutorials(page);
    await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
    await expect(page).toHaveURL('/tutorials');
    await page.goto('/components');
    expect(documents).toEqual(['/about', '/components']);
  },
);

test('a first load with a missing module reloads once, and succeeds', async ({ page }) => {
  const documents = listDocuments(page);
  await removeModule(page, () => documents.length === 1);
  await page.goto('/tutorials');
  await expect.poll(() => documents).toEqual(['/tutorials', '/tutorials']);
  await untilHydrated(page);
  expect(documents).toEqual(['/tutorials', '/tutorials']);
});

test(
  'a first load whose module stays missing is repeated once only',
  nightly('A rarer path of the same guard.'),
  async ({ page }) => {
    const documents = listDocuments(page);
    await removeModule(page);
    await page.goto('/tutorials', { waitUntil: 'commit' });
    await page.waitForFunction(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return navigation?.type === 'reload' && document.documentElement.dataset['failed'] === 'yes';
    });
    await page.goto('/components');
    expect(documents).toEqual(['/tutorials', '/tutorials', '/components']);
  },
);
