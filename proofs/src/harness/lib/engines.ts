/**
 * The engines of one proof: a directory, shards and NATS under .dev/proofs/NAME, with fresh, migrated databases.
 * They stop at the end of the block, and also when the proof is killed.
 */
import { join, resolve } from 'node:path';
import { ensureSecrets, freePort, startNats, startNatsCluster, startPostgres } from '@dostar/tools/servers';
import type { Nats, Postgres } from '@dostar/tools/servers';
import { migrateAll } from '../../../../apps/server/src/cli/migrate-all.ts';
import { readConfig } from '../../../../apps/server/src/config.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { silentBus } from './silent-bus.ts';

export const REPO_ROOT = resolve(import.meta.dirname, '../../../..');

export interface EngineOptions {
  /** Names the folder; usually the name of the proof. */
  name: string;
  shards?: number;
  /** Runs every database in its own cluster, so that one can be stopped alone. */
  areApart?: boolean;
  natsNodes?: number;
  settings?: Record<string, string>;
  /** Replaces the migrations of the present sources. */
  migrate?: (env: Record<string, string>) => Promise<void>;
}

/** Environment variables that a server process needs. */
interface EngineEnv extends Record<string, string> {
  DIRECTORY_URL: string;
  SHARD_URLS: string;
  NATS_URLS: string;
  SECRET_KEY_FILE: string;
  OPAQUE_SETUP_FILE: string;
  VAPID_KEY_FILE: string;
}

export interface Engines extends AsyncDisposable {
  directory: Postgres;
  /** By shard number; all in the same cluster unless `areApart`. */
  shards: Postgres[];
  nats: Nats[];
  env: EngineEnv;
}

export async function startEngines(options: EngineOptions): Promise<Engines> {
  const folder = join(REPO_ROOT, '.dev/proofs', options.name);
  await using stack = new AsyncDisposableStack();

  async function startCluster(name: string): Promise<Postgres> {
    const { settings } = options;
    return stack.use(
      await startPostgres({ dir: join(folder, name), port: await freePort(), ...(settings && { settings }) }),
    );
  }

  const directory = await startCluster('postgres');
  const numbers = Array.from({ length: options.shards ?? 2 }, (_, id) => id);
  const shards = await Promise.all(
    numbers.map((id) => (options.areApart ? startCluster(`shard-${id}`) : Promise.resolve(directory))),
  );
  const nats = await startBus(stack, folder, options.natsNodes ?? 1);
  await createFresh(directory, directoryName);
  for (const [id, shard] of shards.entries()) await createFresh(shard, shardName(id));

  const env: EngineEnv = {
    DIRECTORY_URL: directory.url(directoryName),
    SHARD_URLS: shards.map((shard, id) => `${id}=${shard.url(shardName(id))}`).join(','),
    NATS_URLS: nats.map((node) => node.url).join(',') || '127.0.0.1:0',
    ...ensureSecrets(),
  };
  await (options.migrate ?? migrate)(env);
  const owned = stack.move();
  return { directory, shards, nats, env, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export const directoryName = 'dostar_directory';

export function shardName(id: number): string {
  return `dostar_shard_${id}`;
}

/** Migrates directory and shards to the newest schema and distributes the buckets. */
async function migrate(env: EngineEnv): Promise<void> {
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  await using opened = await openContext(config, readSecrets(env), { bus: silentBus });
  await migrateAll(opened.ctx);
}

async function createFresh(postgres: Postgres, name: string): Promise<void> {
  await postgres.sql('postgres', `drop database if exists "${name}" with (force)`);
  await postgres.createDatabase(name);
}

async function startBus(stack: AsyncDisposableStack, folder: string, nodes: number): Promise<Nats[]> {
  if (nodes === 0) return [];
  const dir = join(folder, 'nats');
  if (nodes === 1) return [stack.use(await startNats({ dir, port: await freePort() }))];
  const ports = await Promise.all(Array.from({ length: nodes }, () => freePort()));
  return stack.use(await startNatsCluster({ dir, ports })).nodes;
}
