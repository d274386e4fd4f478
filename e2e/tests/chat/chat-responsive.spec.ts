/** The messenger in browsers with other settings: text twice as large, and forced colours. */
import type { BrowserContext, Page } from '@playwright/test';
import { findClippedText, setFontSize } from '../../support/find-clipped-text.ts';
import { locales } from '../../support/pages.ts';
import { expect, field, message, openChat, test } from '../../support/pair.ts';
import { nightly } from '../../support/tiers.ts';
import { readTranslations } from '../../support/translations.ts';

const phone = { width: 390, height: 844 };
const TWICE_PX = 32;
const places = [
  '',
  '/notifications',
  '/visibility',
  '/account',
  '/security',
  '/second-factors',
  '/passkeys',
  '/devices',
];
const tabs = ['', '/contact', '/education', '/skills', '/account', '/work'];
const pages = [
  ...[...places, '/storage', '/privacy'].map((place) => `/settings${place}`),
  ...tabs.map((tab) => `/profile${tab}`),
  '/search-contacts',
  '/about',
];
/** Languages with the longest words. */
const longest = locales.filter(({ code }) => code !== 'en');

/** Expects that no text is clipped. The name identifies the page in a failure. */
async function expectWhole(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: test.info().outputPath(`${name.replaceAll('/', '-')}.png`) });
  expect.soft(await findClippedText(page), name).toEqual([]);
}

async function openPhone(context: BrowserContext, fontSize = TWICE_PX): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(phone);
  await setFontSize(page, fontSize);
  return page;
}

test(
  'the name of a contact stays readable as text grows, and hidden buttons are in the menu',
  nightly('One more page with a large font.'),
  async ({ alice, bob }) => {
    await openChat(bob.page, alice.username);
    for (const fontSize of [16, 20, 24, TWICE_PX]) {
      const page = await openPhone(alice.context, fontSize);
      await openChat(page, bob.username);
      await expect(page.locator('header').getByText('online', { exact: true })).toBeVisible();
      await expectWhole(page, `header ${fontSize}`);
      await page.getByRole('button', { name: 'More options', exact: true }).click();
      for (const [button, item] of [
        [`Details for ${bob.username}`, 'Details'],
        ['Search this chat', 'Search this chat'],
      ] as const) {
        const isButton = await page.getByRole('button', { name: button, includeHidden: true }).isVisible();
        await expect(page.getByRole('menuitem', { name: item })).toHaveCount(isButton ? 0 : 1);
      }
      await page.close();
    }
  },
);

test(
  'the debug panel covers no button and shows the state of the socket',
  nightly('The debug panel is off unless asked for.'),
  async ({ alice, bob }) => {
    for (const size of [phone, { width: 1440, height: 900 }]) {
      const page = await openPhone(alice.context, 16);
      await page.setViewportSize(size);
      const looks = [
        { path: '/contacts', drawn: page.getByRole('link', { name: bob.username }) },
        { path: `/contacts/${bob.username}`, drawn: field(page) },
        { path: '/settings', drawn: page.getByRole('radio', { name: 'Dark' }) },
      ];
      for (const { path, drawn } of looks) {
        await page.goto(path);
        await expect(drawn).toBeVisible();
        await expect(page.getByText('Debug panel')).toBeVisible();
        await page.screenshot({ path: test.info().outputPath(`debug${path.replaceAll('/', '-')}-${size.width}.png`) });
        const covered = await page
          .getByRole('main')
          .or(page.getByRole('navigation'))
          .evaluateAll((regions) => {
            const panel = document.querySelector('details')!;
            const { right, top, bottom } = panel.getBoundingClientRect();
            return regions
              .flatMap((region) => [...region.querySelectorAll('button, a, textarea, input')])
              .filter((control) => control.checkVisibility())
              .filter((control) => {
                const box = control.getBoundingClientRect();
                const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
                return x < right && y > top && y < bottom;
              })
              .map((control) => control.outerHTML);
          });
        expect.soft(covered, path).toEqual([]);
      }
      await page.getByText('Debug panel').click();
      await expect(page.getByRole('definition').filter({ hasText: /^open$/ })).toBeVisible();
      await page.close();
    }
  },
);

test(
  'the text field grows with its text also in browsers without field-sizing',
  nightly('A fallback for older browsers.'),
  async ({ alice, bob }) => {
    const page = await openPhone(alice.context, 16);
    await page.addInitScript(() => {
      const supports = CSS.supports.bind(CSS) as (name: string, value: string) => boolean;
      CSS.supports = (name: string, value?: string) => name !== 'field-sizing' && supports(name, value ?? '');
    });
    await openChat(page, bob.username);
    await field(page).evaluate((node) => node.style.setProperty('field-sizing', 'fixed'));
    const heightOf = async (): Promise<number> => (await field(page).boundingBox())?.height ?? 0;
    const low = await heightOf();
    await field(page).fill('Words that need more than a line of a phone. '.repeat(4));
    await expect.poll(heightOf).toBeGreaterThan(2 * low);
    await field(page).fill('Words. '.repeat(400));
    await expect.poll(heightOf).toBeLessThan(6 * low);
    await field(page).fill('');
    await expect.poll(heightOf).toBe(low);
    await page.close();
  },
);

for (const { code, prefix } of longest) {
  const tier = code === 'kz' ? {} : nightly('The same pages in a second language.');

  test(`with text twice as large nothing of the chat is cut on a phone, in ${code}`, tier, async ({ alice, bob }) => {
    const page = await openPhone(alice.context);
    const t = readTranslations(code, 'chat');
    const tList = readTranslations(code, 'chats');
    await openChat(bob.page, alice.username);
    await page.goto(`${prefix}/contacts`);
    await expect(page.locator(`a[href$="/contacts/${bob.username}"]`)).toBeVisible();
    await expectWhole(page, `${code} list`);
    await page.getByRole('button', { name: tList('write') }).click();
    await expectWhole(page, `${code} new contact`);
    await page.getByRole('button', { name: tList('back') }).click();
    await page.goto(`${prefix}/contacts/${bob.username}`);
    await expect(message(page, 'May I?')).toBeVisible();
    await expectWhole(page, `${code} chat`);
    await page.getByRole('button', { name: t('header.more') }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectWhole(page, `${code} menu of the chat`);
    await page.keyboard.press('Escape');
    await message(page, 'May I?').locator('[data-bubble]').click({ button: 'right' });
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await expectWhole(page, `${code} menu of a message`);
    await page.keyboard.press('Escape');
    await page.close();
  });

  test(
    `with text twice as large no setting and no part of the profile is cut on a phone, in ${code}`,
    nightly('Every setting with a large font; the chat and the sign-in stay in the gate.'),
    async ({ alice }) => {
      const page = await openPhone(alice.context);
      for (const path of pages) {
        await page.goto(prefix + path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expectWhole(page, prefix + path);
      }
      await page.close();
    },
  );

  test(
    `with text twice as large sign-in and sign-up are not cut on a phone, in ${code}`,
    tier,
    async ({ browser, site }) => {
      const context = await browser.newContext({ baseURL: site.origin });
      const page = await openPhone(context);
      for (const path of ['/sign-in', '/sign-up', '/recovery', '/invite']) {
        await page.goto(prefix + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectWhole(page, prefix + path);
      }
      await context.close();
    },
  );
}

test(
  'with forced colours the search field has an edge and an online contact a full dot',
  nightly('Forced colours change rarely.'),
  async ({ alice, bob }) => {
    await openChat(bob.page, alice.username);
    const page = await alice.context.newPage();
    await page.emulateMedia({ forcedColors: 'active' });
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await openChat(page, bob.username);
      const search = page.getByRole('searchbox').first();
      await expect(search).toHaveCSS('border-top-style', 'solid');
      await expect(search).toHaveCSS('border-top-width', '1px');
      const dot = page.getByRole('img', { name: 'online' }).first();
      await expect(dot).toBeVisible();
      const ground = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
      await expect(dot).not.toHaveCSS('background-color', ground);
      await page.screenshot({ path: test.info().outputPath(`forced-${theme}.png`) });
    }
    await page.close();
  },
);
