/** Sign-up, sign-out and sign-in: a user with a browser and a mailbox, on the real stack. */
import { expect, fillSignUp, newEmail, signUp, test, typeCode } from '../../support/people.ts';
import { codeIn } from '@dostar/tools/emails';

test('sign-up by email and code ends on the profile page; a wrong code and a reload on the way do no harm', async ({
  page,
  inbox,
}) => {
  const email = newEmail();
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Get code' }).click();
  await expect(page.getByText('Email is required.')).toBeVisible();
  await fillSignUp(page, email, 'four words are long', 'something else');
  await expect(page.getByText('Passwords must match.')).toBeVisible();
  await fillSignUp(page, email, 'four words are long');
  await expect(page).toHaveURL(/\/confirm-code$/);
  await expect(page.getByText(`Code was sent to ${email}`)).toBeVisible();

  const code = codeIn(await inbox.waitForEmail(email));
  await typeCode(page, code === '000000' ? '000001' : '000000');
  await expect(page.getByText('That code isn’t right.')).toBeVisible();
  await page.reload();
  await expect(page.getByText(`We emailed a 6-digit code to ${email}.`)).toBeVisible();
  await typeCode(page, code);
  await expect(page).toHaveURL(/\/profile$/);
});

test('sign-out asks first; sign-in shows errors, and leads back to the requested page', async ({ page, inbox }) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page.getByText('Are you sure you want to sign out?')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/contacts');
  await expect(page).toHaveURL(/\/sign-in\?next=/);

  const submit = page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true });
  await submit.click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a good password');
  await submit.click();
  await expect(page.getByText('Email not found')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a bad password');
  await submit.click();
  await expect(page.getByText('Incorrect password')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('a good password');
  await submit.click();
  await expect(page.getByText('Successfully signed in')).toBeVisible();
  await expect(page).toHaveURL(/\/contacts/);
});

test('a taken address is reported', async ({ page, inbox, browser, site }) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  const other = await browser.newPage({ baseURL: site.origin });
  await other.goto('/sign-up');
  await fillSignUp(other, email, 'another password');
  await expect(other.getByText('User with this email already exists or an error occurred.')).toBeVisible();
  await other.close();
});
