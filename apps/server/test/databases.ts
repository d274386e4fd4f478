import { Client } from 'pg';

export const TEMPLATE = 'dostar_template';
const PREFIX = 'dostar_test';

export interface DatabaseUrls {
  DIRECTORY_URL: string;
  SHARD_URLS: string;
}

/** A directory and two shards: code that forgets the shard fails on the first day. */
export async function createDatabases(postgresUrl: string, name: string, template?: string): Promise<DatabaseUrls> {
  await using admin = await connect(postgresUrl);
  const parts = ['directory', 'shard_0', 'shard_1'];
  for (const part of parts) {
    const from = template ? ` template ${template}_${part}` : '';
    await admin.client.query(`create database ${name}_${part}${from}`);
  }
  const [directory, first, second] = parts.map((part) => urlOf(postgresUrl, `${name}_${part}`));
  return { DIRECTORY_URL: directory!, SHARD_URLS: `0=${first},1=${second}` };
}

/** Of earlier runs, or of one name. Whoever is still connected is cut off. */
export async function dropDatabases(postgresUrl: string, name?: string): Promise<void> {
  await using admin = await connect(postgresUrl);
  const pattern = name ? `^${name}_(directory|shard_.)$` : `^(${PREFIX}|${TEMPLATE})_`;
  const { rows } = await admin.client.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
    pattern,
  ]);
  for (const { datname } of rows) await admin.client.query(`drop database if exists ${datname} with (force)`);
}

let made = 0;
export function nextName(): string {
  made += 1;
  return `${PREFIX}_${process.pid}_${made}_${Math.random().toString(36).slice(2, 8)}`;
}

function urlOf(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function connect(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
