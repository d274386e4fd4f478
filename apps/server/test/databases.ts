import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

const PREFIX = 'dostar_test';
const TEMPLATES = 'dostar_template';
const TEMPLATE_LOCK = 7033;
const PARTS = ['directory', 'shard_0', 'shard_1'] as const;

/** Named after a hash of the migrations: concurrent runs share it, and a changed migration makes a new one. */
const TEMPLATE = `${TEMPLATES}_${hashMigrations()}`;

export interface DatabaseUrls {
  DIRECTORY_URL: string;
  SHARD_URLS: string;
}

/** Creates a directory and two shards, so that code that ignores the shard fails at once. */
export async function createDatabases(
  postgresUrl: string,
  name: string,
  from: 'template' | 'nothing',
): Promise<DatabaseUrls> {
  await using admin = await connect(postgresUrl);
  for (const part of PARTS) {
    await admin.client.query(
      `create database ${name}_${part}${from === 'template' ? ` template ${TEMPLATE}_${part}` : ''}`,
    );
  }
  return urlsOf(postgresUrl, name);
}

export async function dropDatabases(postgresUrl: string, name: string): Promise<void> {
  await using admin = await connect(postgresUrl);
  for (const part of PARTS) await admin.client.query(`drop database if exists ${name}_${part} with (force)`);
}

/** Creates the template unless another run has: `migrate` runs on it once. */
export async function ensureTemplate(
  postgresUrl: string,
  migrate: (urls: DatabaseUrls) => Promise<void>,
): Promise<void> {
  await using admin = await connect(postgresUrl);
  await admin.client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const last = `${TEMPLATE}_${PARTS[2]}`;
  const { rows } = await admin.client.query<{ note: string | null }>(
    `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
    [last],
  );
  if (rows[0]?.note === 'ready') return;
  await dropDatabases(postgresUrl, TEMPLATE);
  await migrate(await createDatabases(postgresUrl, TEMPLATE, 'nothing'));
  // Set last: if the run crashes before, the next run creates the template again.
  await admin.client.query(`comment on database ${last} is 'ready'`);
}

/** Drops databases of runs that have ended. Those of concurrent runs stay. */
export async function dropLeftovers(postgresUrl: string): Promise<void> {
  await using admin = await connect(postgresUrl);
  const { rows } = await admin.client.query<{ name: string }>(
    'select datname as name from pg_database where datname ~ $1',
    [`^(${PREFIX}|${TEMPLATES})_`],
  );
  for (const { name } of rows) {
    const isOldTemplate = name.startsWith(TEMPLATES) && !name.startsWith(TEMPLATE);
    // Without force, so that a database in use stays.
    if (isOldTemplate || isLeftover(name)) await admin.client.query(`drop database if exists ${name}`).catch(() => {});
  }
}

/** Whether the run in the name has ended. */
export function isLeftover(name: string): boolean {
  return name.startsWith(`${PREFIX}_`) && !isAlive(Number(name.split('_')[2]));
}

let made = 0;
export function nextName(): string {
  made += 1;
  return `${PREFIX}_${process.pid}_${made}_${Math.random().toString(36).slice(2, 8)}`;
}

function hashMigrations(): string {
  const folder = join(import.meta.dirname, '../migrations');
  const hash = createHash('sha256');
  const files = globSync('**/*.sql', { cwd: folder }).toSorted((one, other) => (one < other ? -1 : 1));
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 8);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function urlsOf(postgresUrl: string, name: string): DatabaseUrls {
  const [directory, first, second] = PARTS.map((part) => urlOf(postgresUrl, `${name}_${part}`));
  return { DIRECTORY_URL: directory!, SHARD_URLS: `0=${first},1=${second}` };
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
