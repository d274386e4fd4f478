/** Steps on the settings card of the app lock and on the lock screen. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './people.ts';

export const pin = '482913';

/** Sets a PIN in the settings of an account that has no lock. */
export async function setPin(page: Page, minutes?: string): Promise<void> {
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Turn on app lock' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'PIN' }).click();
  await dialog.getByLabel('New PIN', { exact: true }).fill(pin);
  await dialog.getByLabel('Enter it again', { exact: true }).fill(pin);
  if (minutes !== undefined) {
    await dialog.getByRole('combobox', { name: 'Lock automatically' }).click();
    await page.getByRole('option', { name: minutes }).click();
  }
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('On: PIN')).toBeVisible();
}

export function lockScreen(page: Page): Locator {
  return page.getByRole('heading', { name: 'Dostar is locked' });
}

export async function typePin(page: Page, typed: string): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}
