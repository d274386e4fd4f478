/** Ids that callers of `/v1` choose: none gives access to data of another account, present or removed. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeAccount, removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { findAppwriteAccountById } from '../src/appwrite/ids/service.ts';
import { newEmail } from './browser.ts';
import {
  addPerson,
  addProductPerson,
  operatorOf,
  PASSWORD,
  AppwriteClient,
  writeAppwriteFile,
} from './appwrite-people.ts';
import type { Reply } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const NOTES = '/databases/app/collections/notes/documents';
const FILES = '/storage/buckets/pictures/files';

let smtp: SmtpPeer;
let cluster: TestCluster;
beforeAll(async () => {
  smtp = await startSmtpPeer();
  const attributes = [{ key: 'text', type: 'string' }];
  const notes = { id: 'notes', permissions: ['create("users")'], documentSecurity: true, attributes };
  const definition = {
    databases: [{ id: 'app', collections: [notes] }],
    buckets: [
      { id: 'pictures', permissions: ['create("users")'], fileSecurity: true },
      { id: 'open', permissions: ['create("any")', 'read("any")'] },
    ],
  };
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const env = { SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: await writeAppwriteFile(definition) };
  cluster = await startTestCluster({ ...engines, env });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function signUpAs(userId: string): Promise<Reply> {
  return new AppwriteClient(cluster.url).call('POST', '/account', { userId, email: newEmail(), password: PASSWORD });
}

async function upload(
  client: AppwriteClient,
  { bucket = 'pictures', id, bytes, range }: { bucket?: string; id: string; bytes: Uint8Array; range?: string },
): Promise<Reply> {
  const form = new FormData();
  form.set('fileId', id);
  form.set('file', new File([new Uint8Array(bytes)], 'a.bin'));
  return client.call('POST', `/storage/buckets/${bucket}/files`, form, range ? { 'content-range': range } : {});
}

/** Reads permissions directly from the database. */
async function findPermissions(table: 'document' | 'file', id: string): Promise<string[][]> {
  const found = await Promise.all(
    cluster.ctx.shards
      .all()
      .map((shard) =>
        shard.query((db) =>
          sql<{ permissions: string[] }>`select permissions from ${sql.table(table)} where id = ${id}`.execute(db),
        ),
      ),
  );
  return found.flatMap(({ rows }) => rows.map(({ permissions }) => permissions));
}

test('a caller can not choose the id of a product account, in any spelling', async () => {
  const victim = await addProductPerson(cluster);
  const { account } = victim;
  await victim.call('POST', NOTES, { documentId: 'private', data: { text: 'mine' } });
  for (const id of [account, account.toUpperCase(), randomUUID()]) {
    expect(await signUpAs(id)).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
  }
  expect(await findAppwriteAccountById(cluster.ctx, account)).toBeUndefined();
  expect(await victim.call('GET', `${NOTES}/private`)).toMatchObject({ status: 200 });
});

test('the migration blocks accounts that chose such an id before it was refused', async () => {
  const person = await addPerson(cluster.url);
  const file = new URL('../migrations/shard/0039-documents-of-a-creator.sql', import.meta.url);
  const step = (await readFile(file, 'utf8')).split(';').find((each) => each.includes('update service_account'));
  const account = (await findAppwriteAccountById(cluster.ctx, person.id))!;
  await cluster.ctx.shards.of(account).query(async (db) => {
    await db.updateTable('service_account').set({ id: randomUUID() }).where('owner', '=', account).execute();
    await sql.raw(step!).execute(db);
  });
  expect(await person.call('GET', '/account')).toMatchObject({ status: 403, body: { type: 'user_blocked' } });
  const other = await addPerson(cluster.url);
  expect(await other.call('GET', '/account')).toMatchObject({ status: 200 });
});

test('no later account gets the id of a removed one', async () => {
  const person = await addPerson(cluster.url);
  const chosen = await signUpAs('alice.smith');
  expect(chosen).toMatchObject({ status: 201 });
  for (const id of [person.id, 'alice.smith']) {
    const account = await findAppwriteAccountById(cluster.ctx, id);
    await removeAccount(cluster.ctx, account!);
    expect(await signUpAs(id)).toMatchObject({ status: 409, body: { type: 'user_already_exists' } });
  }
  // The address, unlike the id, can be used for a new account.
  const again = { userId: 'unique()', email: person.email, password: PASSWORD };
  expect(await new AppwriteClient(cluster.url).call('POST', '/account', again)).toMatchObject({ status: 201 });
});

/** Makes every shard refuse accounts of `/v1` until the returned function is called. */
async function breakShards(): Promise<() => Promise<void>> {
  const all = cluster.ctx.shards.all();
  for (const shard of all) {
    await shard.query(async (db) => {
      await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`.execute(db);
      await sql`create trigger fail before insert on service_account for each row execute function fail()`.execute(db);
    });
  }
  return async () => {
    for (const shard of all) await shard.query((db) => sql`drop function fail() cascade`.execute(db));
  };
}

test('an id is free again if its account could not be created', async () => {
  const heal = await breakShards();
  expect(await signUpAs('wanted')).toMatchObject({ status: 500 });
  await heal();
  const { email } = await addPerson(cluster.url);
  const taken = { userId: 'wanted', email, password: PASSWORD };
  expect(await new AppwriteClient(cluster.url).call('POST', '/account', taken)).toMatchObject({ status: 409 });
  expect(await signUpAs('wanted')).toMatchObject({ status: 201 });
});

test('removing an account, of the product or of /v1, deletes its documents and files', async () => {
  const victim = await addProductPerson(cluster);
  const person = await addPerson(cluster.url);
  const own = await findAppwriteAccountById(cluster.ctx, person.id);
  for (const [client, account] of [
    [victim, victim.account],
    [person, own!],
  ] as const) {
    const id = randomUUID();
    const shared = ['read("users")'];
    await client.call('POST', NOTES, { documentId: id, data: { text: 'mine' }, permissions: shared });
    await upload(client, { id, bytes: Buffer.from('bytes') });
    expect(await findPermissions('document', id)).toHaveLength(1);
    await closeAccount(cluster.ctx, account);
    expect(await findPermissions('document', id)).toEqual([]);
    expect(await findPermissions('file', id)).toEqual([]);
    const reader = await addPerson(cluster.url);
    expect(await reader.call('GET', `${NOTES}/${id}`)).toMatchObject({ status: 404 });
  }
});

test('a document that the operator shared with a removed account stays, without it in the permissions', async () => {
  const [person, other] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  const id = randomUUID();
  const given = [
    `read("user:${person.id}")`,
    `read("user:${other.id}")`,
    `update("user:${person.id}/verified")`,
    `delete("user:${person.id}")`,
  ];
  const wanted = { documentId: id, data: { text: 'of the operator' }, permissions: given };
  expect(await operatorOf(cluster).call('POST', NOTES, wanted)).toMatchObject({ status: 201 });
  expect(await upload(operatorOf(cluster), { id, bytes: Buffer.from('bytes') })).toMatchObject({ status: 201 });
  const changed = await operatorOf(cluster).call('PUT', `${FILES}/${id}`, { permissions: given });
  expect(changed).toMatchObject({ status: 200 });
  await removeAccount(cluster.ctx, (await findAppwriteAccountById(cluster.ctx, person.id))!);
  for (const table of ['document', 'file'] as const) {
    expect(await findPermissions(table, id)).toEqual([[`read("user:${other.id}")`]]);
  }
  expect(await other.call('GET', NOTES)).toMatchObject({ body: { total: 1 } });
});

test('a token for a deleted file does not open a later file with the same id', async () => {
  const [one, other] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  await upload(one, { id: 'logo', bytes: Buffer.from('of one') });
  const { body: token } = await one.call('POST', '/tokens/buckets/pictures/files/logo', {});
  const path = `${FILES}/logo/view?project=dostar&token=${token.secret}`;
  const stranger = new AppwriteClient(cluster.url);
  expect(await stranger.call('GET', path)).toMatchObject({ status: 200, body: 'of one' });
  await one.call('DELETE', `${FILES}/logo`, {});
  await upload(other, { id: 'logo', bytes: Buffer.from('of the other') });
  expect(await stranger.call('GET', path)).toMatchObject({ status: 404 });
});

test('a guest can not continue the upload of an API key or of another guest', async () => {
  const [bucket, id] = ['open', 'film'];
  const size = CHUNK_BYTES + 1;
  const first = { bucket, id, bytes: new Uint8Array(CHUNK_BYTES), range: `bytes 0-${CHUNK_BYTES - 1}/${size}` };
  expect(await upload(operatorOf(cluster), first)).toMatchObject({ status: 201, body: { chunksUploaded: 1 } });
  const last = { bucket, id, bytes: Buffer.from('!'), range: `bytes ${CHUNK_BYTES}-${size - 1}/${size}` };
  expect(await upload(new AppwriteClient(cluster.url), last)).toMatchObject({ status: 401 });
  expect(await upload(operatorOf(cluster), last)).toMatchObject({ status: 201, body: { chunksUploaded: 2 } });
  const small = { bucket, id: 'small', bytes: Buffer.from('ten bytes!'), range: 'bytes 0-9/10' };
  expect(await upload(new AppwriteClient(cluster.url), small)).toMatchObject({ status: 201 });
  expect(await upload(new AppwriteClient(cluster.url), small)).toMatchObject({ status: 409 });
});
