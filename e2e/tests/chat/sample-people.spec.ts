/** Runs the program that creates the people of `./dev up` twice, and signs in with the printed password. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, signIn, test } from '../../support/people.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

test('the printed password opens an account with chats, and a second start keeps it', async ({ page, site, inbox }) => {
  const marker = join(root, '.dev', `sample-people-${process.pid}`);
  const args = ['e2e/sample-people/main.ts', site.origin, site.origin, inbox.webUrl, inbox.smtpUrl, marker];
  const first = (await run(process.execPath, args, { cwd: root })).stdout;
  const [, email = '', password = ''] = /^(\S+@\S+) .*password: (.+)$/m.exec(first) ?? [];
  await signIn(page, email, password);
  await page.goto('/contacts');
  await expect(page.getByRole('img', { name: 'Bob Wilson' }).first()).toBeVisible();
  await page.getByText('1 message request').click();
  await expect(page.getByText('Marat Omarov').first()).toBeVisible();

  await page.goto('/contacts/bob');
  const lake = page.getByRole('article').filter({ hasText: 'The ice is gone' }).first();
  await expect(lake.getByText('🤩').first()).toBeVisible();
  await expect(lake.locator('img').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'every fire' })).toContainText('Bob');

  expect((await run(process.execPath, args, { cwd: root })).stdout).toBe(first);
  // Without the marker an earlier run counts as interrupted.
  expect(existsSync(marker)).toBe(true);
  await rm(marker);
  expect((await run(process.execPath, args, { cwd: root })).stdout).toContain('./dev down --erase');
});
