// The assistant for a new user, from the first page to an answer.
import { startAmadeus } from '../../support/amadeus.ts';
import { checkAndCapture } from '../../support/check-and-capture.ts';
import { field, message, password, write } from '../../support/pair.ts';
import { expect, fillSignUp, newEmail, test, typeCode } from '../../support/people.ts';
import { codeIn } from '@dostar/tools/emails';
import { openHydrated } from '../../support/site.ts';
import { nightly } from '../../support/tiers.ts';

test(
  'Chat with Amadeus leads a visitor through sign-up to a chat in which it has already written',
  nightly('A whole sign-up again; the assistant and its account have tests of their own.'),
  async ({ page, inbox, site }) => {
    await using _ = await startAmadeus(site);
    const email = newEmail();
    await openHydrated(page, '/');
    await page.getByRole('link', { name: 'Chat with Amadeus' }).first().click();
    await expect(page).toHaveURL('/sign-up?next=%2Fcontacts%2Famadeus');
    await fillSignUp(page, email, password);
    await expect(page).toHaveURL(/\/confirm-code\?next=/);
    await typeCode(page, codeIn(await inbox.waitForEmail(email)));
    await expect(page).toHaveURL('/contacts/amadeus');
    await expect(message(page, 'Hi, I’m Amadeus, Dostar’s assistant.')).toBeVisible();
    await expect(page.getByRole('button', { name: /Amadeus.*assistant/ })).toBeVisible();
    await expect(page.getByRole('link', { name: /Amadeus.*assistant/ })).toBeVisible();

    await write(page, 'How do I add a friend?');
    await expect(message(page, 'Enter your friend’s exact username.')).toBeVisible();
    await write(page, 'Ертең ауа райы қандай?');
    await expect(message(page, 'Мұны білмеймін')).toBeVisible();
    await expect(field(page)).toBeVisible();
    await page.getByRole('button', { name: 'Details for Amadeus' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByText('assistant')).toBeVisible();
    await checkAndCapture(page, 'amadeus');
  },
);
