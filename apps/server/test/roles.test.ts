/** Permissions of the two database roles of an installation. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import type { DatabaseUrls } from './databases.ts';
import { asRole, OWNER_ROLE, restrict, SERVER_ROLE } from './restrict.ts';

const run = promisify(execFile);
const ADMIN = fileURLToPath(new URL('../src/admin.ts', import.meta.url));
/** `insufficient_privilege`. */
const REFUSED = { code: '42501' };

const stack = new AsyncDisposableStack();
const postgresUrl = inject('postgresUrl');
let urls: DatabaseUrls;
beforeAll(async () => {
  urls = await makeDatabases('nothing');
  await restrict(urls);
});
afterAll(() => stack.disposeAsync());

async function makeDatabases(from: 'template' | 'nothing'): Promise<DatabaseUrls> {
  const name = nextName();
  stack.defer(() => dropDatabases(postgresUrl, name));
  return createDatabases(postgresUrl, name, from);
}

/** Migrates without any other secret and without NATS, as Compose does. */
async function migrate(owner: string): Promise<string> {
  const env = { ...asRole(urls, SERVER_ROLE), DATABASE_OWNER: owner, NATS_URLS: '127.0.0.1:1' };
  const { stdout } = await run(process.execPath, [ADMIN, 'migrate'], { env });
  return stdout;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('only the owner can migrate, and needs no other secret', async () => {
  await expect(migrate('')).rejects.toMatchObject({ stderr: expect.stringContaining('permission denied') as string });
  expect(await migrate(OWNER_ROLE)).toMatch(/^[1-9]\d* migrations applied/);
  expect(await migrate(OWNER_ROLE)).toBe('0 migrations applied\n');
});

test.each([
  'create table x (a int)',
  'drop table placement',
  'alter table placement add x int',
  'truncate placement',
  'create function f() returns int language sql as $$ select 1 $$',
  'create schema s',
])('the server can not: %s', async (text) => {
  await expect(query(asRole(urls, SERVER_ROLE).DIRECTORY_URL, text)).rejects.toMatchObject(REFUSED);
});

test('the server changes rows, also of tables that a migration makes later', async () => {
  const [owner, server] = [OWNER_ROLE, SERVER_ROLE].map((role) => asRole(urls, role).DIRECTORY_URL);
  await query(owner!, 'create table later (id int generated always as identity, text text)');
  await query(server!, `insert into later (text) values ('a'), ('b')`);
  await query(server!, `update later set text = 'c' where id = 1`);
  await query(server!, 'delete from later where id = 2');
  expect(await query(server!, 'select * from later')).toEqual([{ id: 1, text: 'c' }]);
});

test('databases that the server once owned are taken over as they are', async () => {
  const old = await makeDatabases('template');
  const former = `${nextName()}_former`;
  await query(postgresUrl, `create role "${former}" login`);
  stack.defer(() => query(postgresUrl, `drop role "${former}"`).then(() => {}));
  // As an earlier installer left them: the server's role owns everything.
  const list = `select format('alter %s %s owner to "${former}"', kind, name) as text from (
    select 'table' as kind, oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select 'routine', oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace) as each`;
  for (const { text } of (await query(old.DIRECTORY_URL, list)) as { text: string }[])
    await query(old.DIRECTORY_URL, text);
  await restrict(old);
  const left = `select 1 from pg_class where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) = '${former}'
    union all select 1 from pg_proc where pg_get_userbyid(proowner) = '${former}'`;
  expect(await query(old.DIRECTORY_URL, left)).toEqual([]);
  const server = asRole(old, SERVER_ROLE).DIRECTORY_URL;
  await expect(query(server, 'create table x (a int)')).rejects.toMatchObject(REFUSED);
  expect(await query(server, 'select count(*)::int as rows from placement')).toEqual([{ rows: 1024 }]);
});
