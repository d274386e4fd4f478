/** `./dev shots readme`: the pictures of README.md, with the sample people that `./dev up` creates too. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { until } from '@dostar/client/testing/device';
import { directChat } from '@dostar/protocol/ids';
import type { Page } from '@playwright/test';
import { createSamplePeople } from '../sample-people/create-people.ts';
import type { People } from '../sample-people/person.ts';
import { untilDecrypted } from '../sample-people/play-chat.ts';
import { samplePassword, samplePeople } from '../sample-people/script.ts';
import { startAmadeus } from '../support/amadeus.ts';
import { expect, signIn, test } from '../support/people.ts';
import { setDark } from '../support/theme.ts';

const folder = resolve(import.meta.dirname, '../../docs/pictures');
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

test('the pictures of the README', async ({ browser, site, inbox }) => {
  await mkdir(folder, { recursive: true });
  await using _ = await startAmadeus(site);
  const { origin } = site;
  const sent = await createSamplePeople({ origin, server: origin, inbox }, untilWelcomed);
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const messages = sent!.map(({ at, ...message }) => ({ ...message, at: today + readTime(at) }));
  await site.changeTimes(messages, today + readTime('07:58'));

  const options = { baseURL: origin, timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
  // Keeps Bob online, so that his last-seen time is not shown.
  await using his = await browser.newContext(options);
  const bobsPage = await his.newPage();
  await signIn(bobsPage, samplePeople.bob.email, samplePassword);
  await bobsPage.goto('/contacts/timur');

  await using hers = await browser.newContext({ ...options, viewport: desktop });
  const page = await hers.newPage();
  await signIn(page, samplePeople.alice.email, samplePassword);
  await page.goto('/contacts');
  // Waits until everything has arrived: messages that arrive in an open chat count as read.
  await expect(page.getByRole('listitem').filter({ hasText: 'fountain' })).toContainText('2');
  await openChat(page);
  await capture(page, 'chat-light', desktop);
  await setDark(page, true);
  await capture(page, 'chat-dark', desktop);
  await setDark(page, false);
  await page.setViewportSize(phone);
  await openChat(page);
  await capture(page, 'phone', phone);
});

/** Waits for Amadeus's greeting of Alice: if it came later, its chat would be the newest. */
async function untilWelcomed({ alice: { account, client } }: People): Promise<void> {
  const contacts = await until(client.live.contacts(), (all) => all.some(({ isAssistant }) => isAssistant));
  const { id } = contacts.find(({ isAssistant }) => isAssistant)!;
  await untilDecrypted(client, directChat(account.id, id), 1);
}

function readTime(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}

async function openChat(page: Page): Promise<void> {
  await page.goto('/contacts/bob');
  await expect(page.getByRole('article').filter({ hasText: 'at the fountain' })).toBeVisible();
  await expect(page.getByText('Online')).not.toHaveCount(0);
  await expect(page.locator('[data-bubble] img')).not.toHaveCount(0);
  const isWide = page.viewportSize()?.width === desktop.width;
  for (const name of isWide ? ['Апам (Grandma)', 'Dana Kim', 'Bob Wilson'] : ['Bob Wilson']) {
    await expect(page.getByRole('img', { name }).first().locator('img')).toBeVisible();
  }
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode()));
    for (const panel of document.querySelectorAll('body > details')) panel.remove();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/** Captures a phone with two pixels per CSS pixel, because its picture is small. */
async function capture(page: Page, name: string, size: { width: number; height: number }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const deviceScaleFactor = size === phone ? 2 : 1;
  await devtools.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor, mobile: false });
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  await devtools.detach();
}
