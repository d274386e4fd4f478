/** The built site as the public sees it: the site role with its real headers, and the api it asks for numbers. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureSecrets, ensureTestEngines, freePort, startRole } from '@dostar/tools/servers';
import { expect, type Page, test as base } from '@playwright/test';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export interface Site extends AsyncDisposable {
  origin: string;
}

export async function startSite(more: Record<string, string> = {}): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const { postgres, nats } = await ensureTestEngines();
  const name = `dostar_face_${process.pid}_${Date.now().toString(36)}`;
  const databases = ['directory', 'shard_0', 'shard_1'].map((part) => `${name}_${part}`);
  for (const database of databases) {
    await postgres.createDatabase(database);
    stack.defer(async () => void (await postgres.sql('postgres', `drop database "${database}" with (force)`)));
  }
  const [directory = '', ...shards] = databases.map((database) => postgres.url(database));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    ...ensureSecrets(),
    DIRECTORY_URL: directory,
    SHARD_URLS: shards.map((url, id) => `${id}=${url}`).join(','),
    NATS_URLS: nats.url,
    ORIGIN: origin,
    LOG_LEVEL: 'warn',
    WEB_ROOT: process.env['WEB_ROOT'] ?? join(root, 'apps/web/build/client'),
    ...more,
  };
  const options = { cwd: root, env: { ...process.env, ...env } };
  for (const command of ['migrate', 'seed']) {
    await run(process.execPath, ['apps/server/src/admin.ts', command], options);
  }
  stack.use(await startRole({ roles: 'site,api,worker', port, env, log: join(root, '.dev/log/e2e-site.log') }));
  const owned = stack.move();
  return { origin, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Watched {
  /** Errors of the console, refused policies and uncaught exceptions since the page was opened. */
  complaints: string[];
}

/** A page of the built site. A test that leaves complaints behind has failed, whatever else it found. */
export const test = base.extend<{ watched: Watched }, { site: Site }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are wanted from this pattern.
    async ({}, use) => {
      await using site = await startSite();
      await use(site);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => {
    await use(site.origin);
  },
  watched: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await use({ complaints });
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has taken the page over: before that a click may find nobody at home. */
export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  );
}
