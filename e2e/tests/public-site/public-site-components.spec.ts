import { expect, type Locator, type Page } from '@playwright/test';
import { openHydrated } from '../../support/site.ts';
import { test } from '../../support/error-watch.ts';
import { nightly } from '../../support/tiers.ts';

/** The card of one component on the catalogue page. */
function part(page: Page, name: string): Locator {
  return page.locator(`article[id="${name}"]`);
}

/**
 * Waits until a dialog, list or menu has the focus: it takes the focus shortly after it becomes visible, and again when
 * Tab leaves its last element.
 */
async function untilFocusIn(opened: Locator): Promise<void> {
  await expect.poll(() => opened.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}

test.beforeEach(async ({ page }) => {
  await openHydrated(page, '/components');
});

test('every component is in the component gallery', async ({ page }) => {
  await expect(page.locator('article h3')).toHaveText([
    'custom-button',
    'icon-button',
    'custom-input',
    'custom-password-input',
    'custom-label',
    'custom-text-area',
    'code-field',
    'date-field',
    'file-drop',
    'select',
    'radio',
    'checkbox',
    'switch',
    'dialog',
    'drawer',
    'menu',
    'context-menu',
    'tooltip',
    'tabs',
    'avatar',
    'badge',
    'list-row',
    'strength-indicator',
    'banner',
    'empty-state',
    'skeleton',
    'progress',
  ]);
});

test(
  'a button in its loading state keeps the focus and ignores a second press',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    await openHydrated(page, '/components/custom-button');
    const button = page.getByRole('button', { name: 'Save' }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    const waiting = page.getByRole('button', { name: 'Saving' });
    await expect(waiting).toBeFocused();
    await expect(waiting).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('Space');
    await expect(waiting).toBeFocused();
    await expect(page.getByRole('button', { name: 'Saving' })).toHaveCount(0, { timeout: 4000 });
  },
);

test(
  'a label, a hint and an error are linked to their field',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const input = part(page, 'custom-input');
    await input.getByText('Username').first().click();
    await expect(input.getByRole('textbox').first()).toBeFocused();
    await expect(input.getByRole('textbox').first()).toHaveAccessibleDescription(
      'Letters, digits, dots and underscores.',
    );
    await expect(input.getByRole('textbox').last()).toHaveAccessibleDescription('This username is taken.');
    await expect(input.getByRole('textbox').last()).toHaveAttribute('aria-invalid', 'true');
  },
);

test(
  'the password is shown and hidden by keyboard, and its strength is shown while it is typed',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const password = part(page, 'custom-password-input');
    const field = password.getByLabel('New password');
    await expect(field).toHaveAttribute('type', 'password');
    await field.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(field).toHaveAttribute('type', 'text');
    await page.keyboard.press('Space');
    await expect(field).toHaveAttribute('type', 'password');
    await field.fill('1234');
    await expect(password.getByRole('meter')).toHaveAttribute('aria-valuetext', 'Weak');
    await field.fill('four quiet grey horses');
    await expect(password.getByRole('meter')).toHaveAttribute('aria-valuetext', 'Strong');
  },
);

test(
  'a pasted code fills all boxes, and Backspace goes to the previous one',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const boxes = part(page, 'code-field').getByRole('textbox');
    await boxes.first().focus();
    await page.evaluate(() => navigator.clipboard.writeText('491 305'));
    await page.keyboard.press('Control+v');
    await expect(boxes.nth(0)).toHaveValue('4');
    await expect(boxes.nth(5)).toHaveValue('5');
    await page.keyboard.press('Backspace');
    await expect(boxes.nth(5)).toHaveValue('');
  },
);

test(
  'a date is typed and chosen without a mouse',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const date = part(page, 'date-field');
    await date.getByLabel('Day').fill('');
    await date.getByLabel('Day').pressSequentially('1x6');
    await expect(date.getByLabel('Day')).toHaveValue('16');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect(date.getByLabel('Month')).toHaveValue('4');
  },
);

test(
  'a file is chosen through the keyboard and dropped with the mouse',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const drop = part(page, 'file-drop');
    const picture = { name: 'alatau.png', mimeType: 'image/png', buffer: Buffer.alloc(2048) };
    await drop.locator('input').focus();
    await drop.locator('input').setInputFiles(picture);
    await expect(drop.getByRole('status')).toHaveText('alatau.png · 2.0 KB');
  },
);

test(
  'a select opens, moves, chooses and closes by keyboard',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const trigger = part(page, 'select').getByRole('combobox').first();
    await trigger.focus();
    await page.keyboard.press('Enter');
    await untilFocusIn(page.getByRole('listbox'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listbox')).toBeHidden();
    await expect(trigger).toContainText(/I/);
    await expect(trigger).toBeFocused();
  },
);

test(
  'radio, checkbox and switch react to arrow keys and Space',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const radios = part(page, 'radio').getByRole('radio');
    await radios.nth(1).focus();
    await page.keyboard.press('ArrowDown');
    await expect(radios.nth(2)).toBeChecked();
    const box = part(page, 'checkbox').getByRole('checkbox', { name: 'Remember me' });
    await box.focus();
    await page.keyboard.press('Space');
    await expect(box).not.toBeChecked();
    const toggle = part(page, 'switch').getByRole('switch', { name: /Read receipts/ });
    await toggle.focus();
    await page.keyboard.press('Space');
    await expect(toggle).not.toBeChecked();
  },
);

test('a dialog and both drawers trap the focus, close by Escape and return the focus', async ({ page }) => {
  for (const [name, button, title] of [
    ['dialog', 'Open dialog', 'Delete this chat?'],
    ['drawer', 'Open drawer', 'Details'],
    ['drawer', 'Open bottom sheet', 'Details'],
  ] as const) {
    const opener = part(page, name).getByRole('button', { name: button });
    await opener.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: title });
    await untilFocusIn(panel);
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab');
      await untilFocusIn(panel);
    }
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('a menu and a context menu skip disabled items and run the chosen one', async ({ page }) => {
  const menu = part(page, 'menu');
  await menu.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('Enter');
  await untilFocusIn(page.getByRole('menu'));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('status')).toHaveText('Delete');
  await part(page, 'context-menu').getByText('Right-click or long-press me').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('status')).toHaveText('Reply');
});

test(
  'a tooltip appears on focus and disappears with Escape',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    await part(page, 'dialog').getByRole('button').focus();
    const button = part(page, 'tooltip').getByRole('button', { name: 'Call' });
    await part(page, 'context-menu').scrollIntoViewIfNeeded();
    await button.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const words = page.getByText('Only your contacts can call you.');
    await expect(words).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(words).toBeHidden();
  },
);

test(
  'tabs follow the arrows',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const tabs = part(page, 'tabs');
    await tabs.getByRole('tab', { name: 'Media' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(tabs.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true');
    // Selected by name, since the previous panel is still fading out.
    await expect(tabs.getByRole('tabpanel', { name: 'Files' })).toHaveText('Files from this chat.');
  },
);

test(
  'rows of a list are activated by keyboard, and the open one is announced',
  nightly('One component by keyboard, in the component gallery; pages of users use it in the gate.'),
  async ({ page }) => {
    const rows = part(page, 'list-row').getByRole('button');
    await rows.nth(1).focus();
    await page.keyboard.press('Enter');
    await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true');
    await expect(rows.nth(0)).not.toHaveAttribute('aria-current');
  },
);

test('every target is at least 44 px high and wide, or stands in a line of text', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/sign-in', '/components', '/settings']) {
    await openHydrated(page, path);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main button, main a, header button, header a, footer a')]
        .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== 'inline')
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.height < 43.5 || box.width < 24))
        .map(({ element, box }) => `${element.textContent || element.ariaLabel} ${box.width}×${box.height}`),
    );
    expect(small, path).toEqual([]);
  }
});
