import type { BrowserContext } from '@playwright/test';
import { expect, openChat, type Person } from './pair.ts';
import { linkIn, type Inbox } from './inbox.ts';

const PASSWORD = 'quite another password';

/** Starts fresh in a new browser without any way to the account key, then opens the chat with `friend`. */
export async function startFresh(context: BrowserContext, inbox: Inbox, { email }: Person, friend: string) {
  const page = await context.newPage();
  await page.goto('/recovery');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await page.goto(linkIn(await inbox.waitForSubject(email, 'Reset your password')));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await openChat(page, friend);
  return page;
}
