import type { Postgres } from '@dostar/tools/servers';
import { directoryName, shardName } from '../../harness/lib/engines.ts';
import type { Engines } from '../../harness/lib/engines.ts';
import type { DatabaseUrls } from './processes.ts';

/** Copies the migrated databases, so that runs do not affect each other. */
export async function copyDatabases({ directory, shards }: Engines, suffix: string): Promise<DatabaseUrls> {
  return {
    directory: await copy(directory, directoryName, suffix),
    shards: await Promise.all(shards.map((shard, id) => copy(shard, shardName(id), suffix))),
  };
}

async function copy(postgres: Postgres, name: string, suffix: string): Promise<string> {
  await postgres.sql('postgres', `drop database if exists "${name}_${suffix}" with (force)`);
  await postgres.sql('postgres', `create database "${name}_${suffix}" template "${name}"`);
  return postgres.url(`${name}_${suffix}`);
}
