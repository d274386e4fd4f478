/** The built site as the public sees it: the site role with its real headers, and the api it asks for numbers. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureSecrets, ensureTestEngines, freePort, startRole } from '@dostar/tools/servers';
import { expect, type Page, test as base } from '@playwright/test';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export interface Site extends AsyncDisposable {
  origin: string;
  /** As if everybody had last proved who they are long ago. */
  forgetProofs(): Promise<void>;
  /** As if nobody had tried anything: all tests come from one address, where one household would. */
  forgetTries(): Promise<void>;
  /** What an operator does by hand; answers with what it prints. */
  admin(...args: string[]): Promise<string>;
}

/** How long a process may remember a session as it was. */
const REMEMBERED_MS = 10_500;

export async function startSite(more: Record<string, string> = {}, roles = 'site,api,worker'): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const { postgres, nats } = await ensureTestEngines();
  const name = `dostar_face_${process.pid}_${Date.now().toString(36)}`;
  const databases = ['directory', 'shard_0', 'shard_1'].map((part) => `${name}_${part}`);
  for (const database of databases) {
    await postgres.createDatabase(database);
    stack.defer(async () => void (await postgres.sql('postgres', `drop database "${database}" with (force)`)));
  }
  const [directory = '', ...shards] = databases.map((database) => postgres.url(database));
  const blobs = join(root, '.dev/e2e-blobs', name);
  stack.defer(() => rm(blobs, { recursive: true, force: true }));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    ...ensureSecrets(),
    DIRECTORY_URL: directory,
    SHARD_URLS: shards.map((url, id) => `${id}=${url}`).join(','),
    NATS_URLS: nats.url,
    // Tests that run at the same time share the engines, not the work: one's letters and files are not another's.
    JOBS_PREFIX: name,
    BLOBS_DIR: blobs,
    ORIGIN: origin,
    LOG_LEVEL: 'warn',
    // A busy machine is no engine that is away.
    DATABASE_PATIENCE_MS: '60000',
    // Known, so that its button stays; nobody goes there.
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    GOOGLE_CLIENT_ID: 'nobody',
    GOOGLE_CLIENT_SECRET: 'nothing',
    WEB_ROOT: process.env['WEB_ROOT'] ?? join(root, 'apps/web/build/client'),
    ...more,
  };
  const options = { cwd: root, env: { ...process.env, ...env } };
  const admin = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, ['apps/server/src/admin.ts', ...args], options)).stdout.trim();
  for (const command of ['migrate', 'seed']) await admin(command);
  stack.use(await startRole({ roles, port, env, log: join(root, '.dev/log/e2e-site.log') }));
  const owned = stack.move();
  return {
    origin,
    async forgetProofs() {
      for (const database of databases.slice(1)) await postgres.sql(database, 'update session set proven_at = 0');
      await sleep(REMEMBERED_MS);
    },
    admin,
    forgetTries: async () => void (await postgres.sql(databases[0]!, 'delete from limits')),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Who is this, and what has this browser begun? "Nobody" and "nothing" are answers, but a browser writes them in red. */
const QUESTIONS = ['/api/session', '/api/auth/google/sign-up'];

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
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => {
    await use(site.origin);
  },
  watched: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        const isAnswered = QUESTIONS.some((path) => message.location().url.endsWith(path));
        if (message.type() === 'error' && !isAnswered) complaints.push(message.text());
      });
      await use({ complaints });
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilHydrated(page);
}

/** React has taken the page over: before that a click may find nobody at home. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  );
}
