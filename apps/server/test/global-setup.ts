/** Real engines, and one migrated template of each database, which every test file copies in a moment. */
import { ensureTestEngines } from '@dostar/tools/servers';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/open-context.ts';
import { migrateAll } from '../src/admin/migrate-all.ts';
import { dropLeftovers, ensureTemplate } from './databases.ts';
import { makeSecrets } from './make-secrets.ts';
import { dropLeftoverJobs } from './streams.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const { postgres, nats } = await ensureTestEngines();
  const postgresUrl = postgres.url('postgres');
  project.provide('postgresUrl', postgresUrl);
  project.provide('natsUrl', nats.url);
  await Promise.all([dropLeftovers(postgresUrl), dropLeftoverJobs(nats.url)]);
  await ensureTemplate(postgresUrl, async (urls) => {
    const config = readConfig({ ...urls, NATS_URLS: nats.url, LOG_LEVEL: 'warn' });
    await using opened = await openContext(config, await makeSecrets());
    await migrateAll(opened.ctx);
  });
}
