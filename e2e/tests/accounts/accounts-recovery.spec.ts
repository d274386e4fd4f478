/** Recovery of a forgotten password, from the email to readable messages, in every way. */
import type { Browser, Page, Response } from '@playwright/test';
import { linkIn, type Inbox } from '../../support/inbox.ts';
import { expect, newEmail, signIn, signUp, test } from '../../support/people.ts';
import type { Site } from '../../support/site.ts';
import { nightly } from '../../support/tiers.ts';

const OLD = 'my first password';
const NEW = 'quite another password';

async function requestRecoveryEmail(page: Page, inbox: Inbox, email: string): Promise<string> {
  await page.goto('/recovery');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  return linkIn(await inbox.waitForSubject(email, 'Reset your password'));
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set new password' }).click();
}

/** Signs up on one device and resets the password by email on another. */
async function forget(page: Page, browser: Browser, site: Site, inbox: Inbox) {
  const email = newEmail();
  await signUp(page, inbox, email, OLD);
  const context = await browser.newContext({ baseURL: site.origin });
  const laptop = await context.newPage();
  await laptop.goto(await requestRecoveryEmail(laptop, inbox, email));
  await setPassword(laptop, NEW);
  await expect(laptop).toHaveURL(/\/unlock$/);
  return { email, laptop, close: () => context.close() };
}

/** Checks that the password alone unlocks the messages in a new browser. */
async function expectOpensWithPassword(browser: Browser, site: Site, email: string, password: string): Promise<void> {
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await signIn(page, email, password);
  await page.goto('/settings/security');
  await page.getByRole('button', { name: /Create (recovery|new) key/ }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery key' })).toBeVisible();
  await context.close();
}

/** Waits until the device of this page is signed by its owner's identity. */
function untilSigned(page: Page): Promise<Response> {
  return page.waitForResponse(/\/api\/keys\/signatures$/, { timeout: 0 });
}

test('the old password opens the messages, and the new one does from then on', async ({
  page,
  browser,
  site,
  inbox,
}) => {
  const { email, laptop, close } = await forget(page, browser, site, inbox);
  await laptop.getByRole('button', { name: 'Your old password' }).click();
  await laptop.getByLabel('Old password').fill('not this one');
  await laptop.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(laptop.getByText('Incorrect password')).toBeVisible();
  await laptop.getByLabel('Old password').fill(OLD);
  await laptop.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(laptop).toHaveURL(/\/profile$/);
  await expectOpensWithPassword(browser, site, email, NEW);
  // The reset has not ended the first device's session.
  await page.goto('/settings/devices');
  await expect(page.getByText('this device')).toBeVisible();
  await close();
});

test('another device approves, the digits agree both ways, and the key is transferred', async ({
  page,
  browser,
  site,
  inbox,
}) => {
  const { email, laptop, close } = await forget(page, browser, site, inbox);
  await laptop.getByRole('button', { name: 'Another device' }).click();
  await expect(laptop.getByText('Waiting for your other device…')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Was this you?')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, it was me' }).click();
  await expect(laptop.getByText('Enter these digits on your other device:')).toBeVisible();
  const digits = (await laptop.getByRole('main').getByRole('status').innerText()).replaceAll(/\D/g, '');
  const field = page.getByRole('group', { name: 'Digits from the other device' }).getByRole('textbox').first();
  await field.click();
  await page.keyboard.type(digits === '000000' ? '000001' : '000000');
  await expect(page.getByText('Those digits don’t match.')).toBeVisible();
  await page.keyboard.type(digits);
  const last = page.getByRole('dialog', { name: 'One more step' });
  const countersign = (await last.locator('.figures').innerText()).trim();
  // The digits stay after the account feed has dropped the request, until the other device has the key.
  const news = page.waitForResponse((response) => response.url().endsWith('/api/auth/news'));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await (await news).finished();
  await expect(last).toBeVisible();
  const back = laptop.getByRole('group', { name: 'Enter the 4 digits shown on your other device' });
  await back.getByRole('textbox').first().click();
  await laptop.keyboard.type(countersign === '0000' ? '0001' : '0000');
  await expect(laptop.getByText('Those digits don’t match.')).toBeVisible();
  await laptop.keyboard.type(countersign);
  await expect(laptop).toHaveURL(/\/profile$/);
  await last.getByRole('button', { name: 'Done' }).click();
  await expectOpensWithPassword(browser, site, email, NEW);
  await close();
});

test(
  'the owner’s device signs out an attacker with the mailbox only',
  nightly('A whole takeover on the screen; the server tests it in every detail.'),
  async ({ page, browser, site, inbox }) => {
    const { email, laptop: thief, close } = await forget(page, browser, site, inbox);
    await page.bringToFront();
    await expect(page.getByText('Your password was reset using a link sent to your email.')).toBeVisible();
    await page.getByRole('button', { name: 'No, it wasn’t me' }).click();
    await page.getByLabel('Previous password').fill('a wrong guess');
    await page.getByRole('button', { name: 'Undo reset' }).click();
    await expect(page.getByText('Incorrect password')).toBeVisible();
    await page.getByLabel('Previous password').fill(OLD);
    await page.getByRole('button', { name: 'Undo reset' }).click();
    await expect(page.getByText('Your previous password is back.')).toBeVisible();
    await inbox.waitForSubject(email, 'password reset was undone');
    await thief.goto('/profile');
    await expect(thief).toHaveURL(/\/sign-in/);
    await expectOpensWithPassword(browser, site, email, OLD);
    await close();
  },
);

test(
  'a printed recovery key opens the messages; a mistyped one is reported',
  nightly('A third path through the same screens; the client tests recovery keys.'),
  async ({ page, browser, site, inbox }) => {
    const email = newEmail();
    const isKnown = untilSigned(page);
    await signUp(page, inbox, email, OLD);
    await isKnown;
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Create recovery key' }).click();
    const key = (await page.getByRole('list', { name: 'Recovery key' }).innerText()).replaceAll(/\s+/g, ' ').trim();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await inbox.waitForSubject(email, 'New recovery key');
    await page.getByRole('button', { name: 'Check my key' }).click();
    await page.getByRole('dialog').getByLabel('Recovery key').fill(key.toLowerCase());
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('That’s your recovery key')).toBeVisible();

    const context = await browser.newContext({ baseURL: site.origin });
    const laptop = await context.newPage();
    const isSigned = untilSigned(laptop);
    await laptop.goto(await requestRecoveryEmail(laptop, inbox, email));
    await setPassword(laptop, NEW);
    await laptop.getByRole('button', { name: 'Recovery key' }).click();
    await laptop.getByLabel('Recovery key').fill(key.replace(/^./, key.startsWith('7') ? '8' : '7'));
    await laptop.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(laptop.getByText('There’s a typo in this key.')).toBeVisible();
    await laptop.getByLabel('Recovery key').fill(key);
    await laptop.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(laptop).toHaveURL(/\/profile$/);
    await expectOpensWithPassword(browser, site, email, NEW);

    // The recovery key also signs the device, so it may sign out a lost device at once.
    await isSigned;
    await laptop.goto('/settings/devices');
    await laptop.getByRole('button', { name: 'Sign out of all other devices' }).click();
    await laptop.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(laptop.getByText('Signed out', { exact: true })).toBeVisible();
    await page.goto('/profile');
    await expect(page).toHaveURL(/\/sign-in/);
    await context.close();
  },
);

test(
  'a user without password and recovery key starts fresh after a warning',
  nightly('The fresh start on the screen; the client and the proof of encryption test it.'),
  async ({ page, browser, site, inbox }) => {
    const { email, laptop, close } = await forget(page, browser, site, inbox);
    await laptop.getByRole('button', { name: 'Start fresh' }).click();
    await expect(laptop.getByText('You won’t have your earlier messages.')).toBeVisible();
    await laptop.getByLabel('Your password').fill(NEW);
    await laptop.getByRole('button', { name: 'Start fresh' }).click();
    await expect(laptop).toHaveURL(/\/profile$/);
    await inbox.waitForSubject(email, 'started fresh');
    await expectOpensWithPassword(browser, site, email, NEW);
    await close();
  },
);

test(
  'a locked account can be used before recovery, and the link to recovery stays visible after a reload',
  nightly('Opens the pages of a locked account again.'),
  async ({ page, browser, site, inbox }) => {
    const { laptop, close } = await forget(page, browser, site, inbox);
    await laptop.getByRole('button', { name: 'Not now' }).click();
    await expect(laptop).toHaveURL(/\/profile$/);
    await laptop.reload();
    await laptop.getByRole('link', { name: 'Unlock messages' }).click();
    await laptop.getByRole('button', { name: 'Your old password' }).click();
    await laptop.getByLabel('Old password').fill(OLD);
    await laptop.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(laptop).toHaveURL(/\/profile$/);
    await close();
  },
);

test(
  'a recovery link works once; an unknown address and a broken link are reported',
  nightly('The server tests links in every detail.'),
  async ({ page, inbox }) => {
    const email = newEmail();
    await signUp(page, inbox, email, OLD);
    const link = await requestRecoveryEmail(page, inbox, email);
    await page.goto(link);
    await setPassword(page, NEW);
    // This browser still has the account key, so there is nothing to unlock.
    await expect(page).toHaveURL(/\/profile$/);
    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible();
    await page.goto('/reset-password#');
    await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
    await page.goto('about:blank');
    await page.goto(`/reset-password#${'A'.repeat(43)}`);
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();

    await page.goto('/recovery');
    await page.getByRole('button', { name: 'Send email' }).click();
    await expect(page.getByText('Email is required')).toBeVisible();
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
    await page.getByRole('button', { name: 'Send email' }).click();
    await expect(page.getByText('Email not found')).toBeVisible();
  },
);

test(
  'an easily guessed password causes one warning, which suggests four words',
  nightly('The same rule is tested by the sign-up.'),
  async ({ page, inbox }) => {
    const email = newEmail();
    await signUp(page, inbox, email, OLD);
    await page.goto(await requestRecoveryEmail(page, inbox, email));
    await setPassword(page, 'abcd');
    await expect(page.getByText('This password is easy to guess')).toBeVisible();
    await page.getByRole('button', { name: 'Suggest four words' }).click();
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue(/^\w+ \w+ \w+ \w+$/);
    await setPassword(page, 'abcd');
    await page.getByRole('button', { name: 'Use anyway' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  },
);
