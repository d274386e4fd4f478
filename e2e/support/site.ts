/** The built site as in production: the roles site and api, with real headers. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureSecrets, ensureTestEngines, freePort, startRole } from '@dostar/tools/servers';
import type { Page } from '@playwright/test';

const run = promisify(execFile);
const CHARGED_BLOB = 'f11e0000-0000-4000-8000-000000000001';
const root = resolve(import.meta.dirname, '../..');

/** How another process can use a running site. */
export interface SiteDescription {
  origin: string;
  env: Record<string, string>;
  /** The directory, followed by the shards. */
  databases: string[];
  log: string;
}

export interface Site extends SiteDescription {
  /** Expires the re-authentication of an account. */
  expireReauthentication(account: string): Promise<void>;
  /** Sets the times of these messages, in milliseconds since 1970, and of all others to `others`. */
  changeTimes(messages: { sender: string; id: string; at: number }[], others: number): Promise<void>;
  /** Charges an account for a file of so many bytes, instead of the one of an earlier call; 0 ends the charge. */
  chargeStorage(account: string, bytes: number): Promise<void>;
  /** Resets all rate limits: all tests share one address. */
  resetRateLimits(): Promise<void>;
  /** Runs an operator command and returns its output. */
  admin(...args: string[]): Promise<string>;
}

export async function startSite(
  more: Record<string, string> = {},
  roles = 'site,api,worker',
): Promise<Site & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const { postgres, nats } = await ensureTestEngines();
  const name = `dostar_site_${process.pid}_${Date.now().toString(36)}`;
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
  const log = join(root, '.dev/log', `${name}.log`);
  const env = {
    ...ensureSecrets(),
    DIRECTORY_URL: directory,
    SHARD_URLS: shards.map((url, id) => `${id}=${url}`).join(','),
    NATS_URLS: nats.url,
    // Concurrent tests share the engines but not the data: each stack has its own job prefix and blob folder.
    JOBS_PREFIX: name,
    BLOBS_DIR: blobs,
    // The disk of a developer may be nearly full.
    BLOB_MIN_FREE_RATIO: '0',
    ORIGIN: origin,
    LOG_LEVEL: 'warn',
    // Generous timeout: a slow machine must not look like an outage.
    DATABASE_TIMEOUT_MS: '60000',
    // A session cache would delay the effect of direct database changes.
    SESSION_CACHE_MS: '0',
    // Set so that the Google button is shown; no test clicks it.
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    GOOGLE_CLIENT_ID: 'nobody',
    GOOGLE_CLIENT_SECRET: 'nothing',
    WEB_ROOT: process.env['WEB_ROOT'] ?? join(root, 'apps/web/build/client'),
    ...more,
  };
  const site = await openSite({ origin, env, databases, log });
  await site.admin('migrate');
  stack.use(await startRole({ roles, port, env, log }));
  const owned = stack.move();
  return { ...site, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Opens a site that another process has started. */
export async function openSite(description: SiteDescription): Promise<Site> {
  const { postgres } = await ensureTestEngines();
  const [directory = '', ...shards] = description.databases;
  return {
    ...description,
    async expireReauthentication(account) {
      const forget = `update session set proven_at = 0, half_proven_at = null where owner = '${account}'`;
      for (const shard of shards) await postgres.sql(shard, forget);
    },
    async chargeStorage(account, bytes) {
      const charge = `
        delete from blob_held where owner = '${account}' and blob = '${CHARGED_BLOB}';
        insert into blob_held (owner, blob, charged, at)
          select owner, '${CHARGED_BLOB}', ${bytes}, extract(epoch from now()) * 1000
          from mailbox where owner = '${account}' and ${bytes} > 0`;
      for (const shard of shards) await postgres.sql(shard, charge);
    },
    async changeTimes(messages, others) {
      const change = messages.map(
        ({ sender, id, at }) => `update log set at = ${at} where sender = '${sender}' and message_id = '${id}'`,
      );
      for (const shard of shards) await postgres.sql(shard, [`update log set at = ${others}`, ...change].join('; '));
    },
    async admin(...args) {
      const options = { cwd: root, env: { ...process.env, ...description.env } };
      return (await run(process.execPath, ['apps/server/src/admin.ts', ...args], options)).stdout.trim();
    },
    resetRateLimits: async () => void (await postgres.sql(directory, 'delete from limits')),
  };
}

export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilHydrated(page);
}

/** Waits until React has hydrated the page: an earlier click may do nothing. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  );
}
