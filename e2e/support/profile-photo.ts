import type { Page } from '@playwright/test';
import { expect } from './base.ts';

/** Sets the photo on the owner's open profile page. */
export async function setPhoto(page: Page, buffer: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Profile photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Profile photo' });
  await dialog.locator('input[type=file]').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
  await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save photo' }).click();
  await expect(page.getByText('Profile image and data have been updated successfully')).toBeVisible();
}
