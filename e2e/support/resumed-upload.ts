/** Uploads a file and reloads the sender's page when a third of it is uploaded. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { sendFiles } from './media.ts';
import { expect, message, type Person } from './pair.ts';

const CHUNK_BYTES = 5 * 1024 * 1024;

interface ResumedUpload {
  alice: Person;
  bob: Person;
  chunks: number;
}

/** Both have their chat open. Every chunk is sent once, before or after the reload, and the file arrives complete. */
export async function expectResumed({ alice: { page }, bob, chunks }: ResumedUpload): Promise<void> {
  const bytes = randomBytes(chunks * CHUNK_BYTES);
  const path = test.info().outputPath('archive.bin');
  await writeFile(path, bytes);
  const third = Math.ceil(chunks / 3);
  const answered: number[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (response.ok() && request.url().endsWith('/api/blobs/chunk'))
      answered.push(Number(request.headers()['x-chunk']));
  });
  await allowChunks(page, third);
  await sendFiles(page, path);
  const row = page.getByRole('listitem').filter({ hasText: 'archive.bin' });
  const share = String(Math.round((third / chunks) * 100));
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', share);
  // Unblocks the upload while the app is closed: a chunk that is answered right before a reload would be sent twice.
  const address = page.url();
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(address);
  const file = message(bob.page, 'archive.bin');
  await expect(file).toBeVisible();
  const all = Array.from({ length: chunks }, (_, chunk) => chunk);
  await expect.poll(() => answered.toSorted((one, other) => one - other)).toEqual(all);

  const saving = bob.page.waitForEvent('download', { timeout: 60_000 });
  await file.getByRole('button', { name: 'Save archive.bin' }).click();
  const saved = await readFile(await (await saving).path());
  expect(saved.equals(bytes)).toBe(true);
}

/** Lets this many chunks through; the rest hang until the page is left. */
async function allowChunks(page: Page, count: number): Promise<void> {
  let passed = 0;
  await page.route('**/api/blobs/chunk', async (route) => {
    if (passed >= count) return;
    passed += 1;
    await route.continue();
  });
}
