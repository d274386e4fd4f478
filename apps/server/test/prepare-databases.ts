import { migrateAll } from '../src/cli/migrate-all.ts';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/open-context.ts';
import { dropLeftovers, ensureTemplate } from './databases.ts';
import { makeSecrets } from './make-secrets.ts';

/** One migrated template of each database in a cluster, which test files copy. */
export async function prepareDatabases(postgresUrl: string, natsUrl: string): Promise<void> {
  await dropLeftovers(postgresUrl);
  await ensureTemplate(postgresUrl, async (urls) => {
    const config = readConfig({ ...urls, NATS_URLS: natsUrl, LOG_LEVEL: 'warn' });
    await using opened = await openContext(config, await makeSecrets());
    await migrateAll(opened.ctx);
  });
}
