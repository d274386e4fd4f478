/** The two database roles of an installation, with the permissions of the installers' own file. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { DatabaseUrls } from './databases.ts';

const run = promisify(execFile);
const PSQL = '/usr/lib/postgresql/15/bin/psql';
const GRANTS = fileURLToPath(new URL('../../../deploy/postgres/grants.sql', import.meta.url));
/** An advisory lock id that no other test uses. */
const ROLES_LOCK = 7_043;

export const OWNER_ROLE = 'test-owner';
export const SERVER_ROLE = 'test-server';

export function asRole({ DIRECTORY_URL, SHARD_URLS }: DatabaseUrls, role: string): DatabaseUrls {
  const change = (text: string) => text.replaceAll('//postgres@', `//${role}@`);
  return { DIRECTORY_URL: change(DIRECTORY_URL), SHARD_URLS: change(SHARD_URLS) };
}

/** Makes the owner role own the databases; the server role may only change rows. `urls` are the superuser's. */
export async function restrict(urls: DatabaseUrls): Promise<void> {
  await makeRoles(urls.DIRECTORY_URL);
  const shards = urls.SHARD_URLS.split(',').map((text) => text.slice(text.indexOf('=') + 1));
  for (const url of [urls.DIRECTORY_URL, ...shards]) await grant(url);
}

async function grant(url: string): Promise<void> {
  const roles = ['-v', `owner=${OWNER_ROLE}`, '-v', `server=${SERVER_ROLE}`];
  await run(PSQL, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...roles, '-d', url, '-f', GRANTS]);
}

/** Roles are shared by the whole cluster, so concurrent test files create them once. */
async function makeRoles(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [ROLES_LOCK]);
    for (const role of [OWNER_ROLE, SERVER_ROLE]) {
      const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
      if (rows.length === 0) await client.query(`create role "${role}" login`);
    }
    await client.query(`grant pg_monitor to "${SERVER_ROLE}"`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
