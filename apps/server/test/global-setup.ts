/** Real engines, and one migrated template of each database, which every test file copies quickly. */
import { ensureTestEngines } from '@dostar/tools/servers';
import type { TestProject } from 'vitest/node';
import { prepareDatabases } from './prepare-databases.ts';
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
  await Promise.all([prepareDatabases(postgresUrl, nats.url), dropLeftoverJobs(nats.url)]);
}
