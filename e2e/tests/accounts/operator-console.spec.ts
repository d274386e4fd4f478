/** The operator's console, opened by hand as an operator does. */
import { freePort } from '@dostar/tools/servers';
import { expect, test } from '../../support/people.ts';
import { startSite } from '../../support/site.ts';
import { nightly } from '../../support/tiers.ts';

test(
  'the link of `admin console` opens the console by a button, once, and signing out ends it',
  nightly('Starts a server of its own; the server tests check the same without a browser.'),
  async ({ page, inbox }) => {
    const settings = { SMTP_URL: inbox.smtpUrl, CONSOLE_PORT: String(await freePort()) };
    await using site = await startSite(settings, 'api,worker,console');
    const [link = ''] = (await site.admin('console')).split('\n');
    await page.goto(link);
    // The code leaves the address, and so the history.
    await expect(page).toHaveURL(/\/console\/open$/);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText('Checked at')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Open the console' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();

    await page.goto(link);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await expect(page.getByText('The link was used before')).toBeVisible();
  },
);
