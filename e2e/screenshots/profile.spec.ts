/** Pictures of the profile and of all its dialogs; each also has to pass the accessibility rules. */
import { makePhoto } from '../support/media.ts';
import { expect, test } from '../support/pair.ts';
import { locales } from '../support/pages.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { readTranslations } from '../support/translations.ts';

test.setTimeout(1_800_000);

const tabs = ['', '/contact', '/education', '/skills', '/account', '/work'];

test('the profile in three languages', async ({ alice }) => {
  const { page } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.goto('/profile');
  await expect(save.first()).toBeVisible();
  await checkAndCapture(page, 'profile-en-new');
  await page.getByLabel('Name', { exact: true }).fill('Бауыржан');
  await page.getByLabel('Last name', { exact: true }).fill('Әбдірахманов-Сейітжапаров');
  await page.getByLabel('Address', { exact: true }).fill('Алматы, Абай даңғылы 150/230, 4-кіреберіс, 57-пәтер');
  await save.click();
  await expect(save).toBeDisabled();
  for (const kind of ['Background photo', 'Profile photo']) {
    const photo = await makePhoto(page, { width: 1600, height: 900, hue: kind === 'Profile photo' ? 120 : 20 });
    await page.getByRole('button', { name: kind }).click();
    const dialog = page.getByRole('dialog', { name: kind });
    if (kind === 'Profile photo') await checkAndCapture(page, 'profile-en-picture-choose');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photo });
    await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
    await checkAndCapture(page, `profile-en-picture-${kind === 'Profile photo' ? 'photo' : 'background'}`);
    await dialog.getByRole('button', { name: 'Save photo' }).click();
    await expect(dialog).toBeHidden();
  }
  for (const [tab, add, field, value] of [
    ['/contact', 'Add a link', 'Link 1', 'https://example.org/a/rather/long/address/that/does/not/fit'],
    ['/education', 'Add education', 'School or university', 'Әл-Фараби атындағы Қазақ ұлттық университеті'],
    ['/skills', 'Add a skill', 'Skill', 'Домбыра'],
    ['/work', 'Add a job', 'Company', 'Наубайхана'],
  ] as const) {
    await page.goto(`/profile${tab}`);
    await page.getByRole('button', { name: add }).click();
    await page.getByLabel(field, { exact: true }).fill(value);
    await save.click();
    await expect(save).toBeDisabled();
  }
  for (const { code, prefix } of locales) {
    const words = readTranslations(code, 'profile');
    for (const tab of tabs) {
      await page.goto(`${prefix}/profile${tab}`);
      await expect(page.getByRole('button', { name: words('form.save'), exact: true }).first()).toBeVisible();
      await checkAndCapture(page, `profile-${code}-${tab.slice(1) || 'personal'}`);
    }
  }
  await page.goto('/profile');
  await page.getByLabel('Phone number', { exact: true }).fill('call me');
  await save.click();
  await checkAndCapture(page, 'profile-en-wrong');
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Discard unsaved changes?' })).toBeVisible();
  await checkAndCapture(page, 'profile-en-leave');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change username' }).click();
  await expect(page.getByRole('dialog', { name: 'Change username' })).toBeVisible();
  await checkAndCapture(page, 'profile-en-username');
});
