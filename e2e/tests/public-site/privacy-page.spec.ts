/** The page that names the operator and says what the server stores. */
import { expect } from '@playwright/test';
import { openHydrated } from '../../support/site.ts';
import { test } from '../../support/error-watch.ts';

test('is linked from the page about the program and says what the server stores', async ({ page }) => {
  await openHydrated(page, '/about');
  await page.getByRole('link', { name: 'Privacy and contact' }).click();
  await expect(page).toHaveURL(/\/privacy$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy and contact' })).toBeVisible();
  await expect(page.getByText('hasn’t published a name or contact details')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What it can’t read' })).toBeVisible();
});

test("shows the operator's name, contacts and words instead of the program's", async ({ page }) => {
  const json = {
    name: 'Семья Бек',
    contacts: ['mailto:home@example.org', 'javascript:alert(1)'],
    privacy: { ru: 'Мы храним только нужное.\n\n<b>Спросите нас.</b>' },
  };
  await page.route('**/api/operator', (route) => route.fulfill({ json }));
  await openHydrated(page, '/ru/privacy');
  await expect(page.getByText('Этим сервером управляет Семья Бек.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Контакты' }).getByRole('link')).toHaveText(['home@example.org']);
  await expect(page.getByText('Мы храним только нужное.')).toBeVisible();
  await expect(page.getByText('<b>Спросите нас.</b>')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Чего он прочитать не может' })).toHaveCount(0);
});
