/** Pictures of sending a video: its options, its progress and its errors. */
import { makeLargeVideo } from '../support/large-video.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { locales } from '../support/pages.ts';
import { expect, field, test } from '../support/pair.ts';
import { readTranslations } from '../support/translations.ts';

test.setTimeout(900_000);

for (const { code, prefix } of locales) {
  test(`a video in ${code}`, async ({ alice, bob }) => {
    const { page } = alice;
    const t = readTranslations(code, 'chat');
    // Videos are really inspected. Making one smaller stops at 40 %, and cleaning any other fails.
    await page.addInitScript(() => {
      const ask = Worker.prototype.postMessage as (message: unknown) => void;
      Worker.prototype.postMessage = function pretend(
        this: Worker,
        message: { id: number; method?: string; args: unknown[] },
      ) {
        if (message.method !== 'prepareVideoFile') ask.call(this, message);
        else {
          const data = message.args[1] === true ? { progress: 0.4 } : { id: message.id, failure: 'broken' };
          this.dispatchEvent(new MessageEvent('message', { data }));
        }
      };
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${prefix}/contacts/${bob.username}`);
    await expect(field(page).or(page.getByRole('textbox')).first()).toBeVisible();
    const video = await makeLargeVideo(page);
    const files = page.locator('input[type=file]');
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: t('composer.send') });
    await files.setInputFiles([
      { name: 'Наурыз мейрамы, Алматы.webm', mimeType: 'video/webm', buffer: video },
      { name: 'old-camera-0012.avi', mimeType: 'video/x-msvideo', buffer: Buffer.from('RIFF....AVI LIST') },
      { name: 'бағдарлама.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(345_678) },
    ]);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await dialog.getByRole('radio').last().click();
    await checkAndCapture(page, `video-${code}-choices`);
    await dialog.getByRole('button', { name: t('attach.leaveOut', { name: 'old-camera-0012.avi' }) }).click();
    await dialog.getByRole('button', { name: t('attach.leaveOut', { name: 'бағдарлама.pdf' }) }).click();
    await send.click();
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    await checkAndCapture(page, `video-${code}-progress`);
    await files.setInputFiles({ name: 'той.webm', mimeType: 'video/webm', buffer: video });
    await send.click();
    await expect(page.getByRole('alert')).toBeVisible();
    await checkAndCapture(page, `video-${code}-failed`);
    for (let left = 2; left > 0; left -= 1)
      await page
        .getByRole('button', { name: t('media.cancel') })
        .first()
        .click();
  });
}
