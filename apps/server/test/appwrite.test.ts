/** How `/v1` and `/api` interact, which the packages of the hosted service cannot show. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { AccountId } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { ownerOf } from '../src/appwrite/containers/service.ts';
import { sweepFiles } from '../src/appwrite/files/jobs.ts';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { yieldAppwriteEmail } from '../src/appwrite/ids/service.ts';
import { createUserDocument } from '../src/features/people/users/service.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { takeLines } from './server-log.ts';
import { ORIGIN, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const QUOTA = 6 * 1024 * 1024;
const FILES = '/storage/buckets/pictures/files';

let cluster: TestCluster;
let ahead = 0;
/** Runs in real time: a circuit breaker that opens on a busy machine must close again. */
const now = (): number => Date.now() + ahead;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const env = { BLOB_QUOTA_BYTES: String(QUOTA) };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now } } });
});
afterAll(() => cluster[Symbol.asyncDispose]());

interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  body: any;
}

async function call(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${cluster.url}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': 'dostar', ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

let people = 0;
interface Person {
  email: string;
  account: AccountId;
  session: { 'x-appwrite-session': string };
}

async function addPerson(): Promise<Person> {
  people += 1;
  const email = `person${people}-${Math.random().toString(36).slice(2, 8)}@example.org`;
  const from = { 'x-forwarded-for': `10.1.0.${people}` };
  expect(await call('POST', '/account', from, { userId: 'unique()', email, password: 'abcd' })).toMatchObject({
    status: 201,
  });
  const { headers } = await call('POST', '/account/sessions/email', from, { email, password: 'abcd' });
  const secret = (JSON.parse(headers.get('x-fallback-cookies')!) as Record<string, string>)['a_session_dostar']!;
  const row = await cluster.ctx.directory
    .selectFrom('service_email')
    .select('account')
    .where('address', '=', email)
    .executeTakeFirstOrThrow();
  return { email, account: row.account as AccountId, session: { 'x-appwrite-session': secret } };
}

async function upload(person: Person, bytes: number, headers: Record<string, string> = {}): Promise<Answer> {
  return uploadFile(person, new File([makePng(bytes)], 'a.png'), headers);
}

/** The signature of a PNG followed by zeros. */
function makePng(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from('89504e470d0a1a0a', 'hex'));
  return bytes;
}

async function uploadFile(person: Person, file: File, headers: Record<string, string> = {}): Promise<Answer> {
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', file);
  return call('POST', FILES, { ...person.session, ...headers }, form);
}

async function listStored(): Promise<string[]> {
  const folders = await readdir(cluster.config.BLOBS_DIR).catch(() => []);
  return (await Promise.all(folders.map((folder) => readdir(`${cluster.config.BLOBS_DIR}/${folder}`)))).flat();
}

test('a signed-in product user is signed in on /v1, in our own pages only', async () => {
  const { account, token } = await cluster.addAccount();
  await createUserDocument(cluster.ctx, account, { email: null, verifiedAt: null });
  const cookie = `${SESSION_COOKIE}=${token}`;
  const own = await call('GET', '/account', { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' });
  expect(own).toMatchObject({ status: 200, body: { $id: account } });
  const cross = await call('GET', '/account', { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-site' });
  expect(cross).toMatchObject({ status: 401 });
});

test('a session of /v1 opens nothing of /api', async () => {
  const { session } = await addPerson();
  const secret = session['x-appwrite-session'];
  const cookie = `${SESSION_COOKIE}=${secret}; a_session_dostar=${secret}`;
  const reply = await fetch(`${cluster.url}/api/session`, { headers: { [CALL_HEADER]: '1', cookie } });
  expect(reply.status).not.toBe(200);
});

test('a project in the URL alone is refused for changes', async () => {
  const { session } = await addPerson();
  const cookie = `a_session_dostar=${session['x-appwrite-session']}`;
  const body = { name: 'Mallory' };
  const bare = await call('PATCH', '/account/name?project=dostar', { cookie, 'x-appwrite-project': '' }, body);
  expect(bare).toMatchObject({ status: 404, body: { type: 'project_not_found' } });
  expect(await call('PATCH', '/account/name', { cookie }, body)).toMatchObject({ status: 200, body });
});

test('an unverified address is given to the user who verifies it', async () => {
  const { email } = await addPerson();
  await yieldAppwriteEmail(cluster.ctx, email);
  const login = { email, password: 'abcd' };
  expect(await call('POST', '/account/sessions/email', {}, login)).toMatchObject({ status: 401 });
});

test('a quota counts files of /v1 too, and deleting frees the space', async () => {
  const person = await addPerson();
  const one = await upload(person, CHUNK_BYTES);
  expect(one.status).toBe(201);
  expect(await upload(person, CHUNK_BYTES)).toMatchObject({ status: 403, body: { type: 'storage_quota_exceeded' } });
  expect(await call('GET', FILES, person.session)).toMatchObject({ body: { total: 1 } });
  await call('DELETE', `${FILES}/${one.body.$id}`, person.session, {});
  expect(await upload(person, CHUNK_BYTES)).toMatchObject({ status: 201 });
});

test('an unfinished upload is deleted after a day with its row, bytes and usage', async () => {
  const person = await addPerson();
  const before = (await listStored()).length;
  const range = { 'content-range': `bytes 0-${CHUNK_BYTES - 1}/${CHUNK_BYTES + 1}` };
  const begun = await upload(person, CHUNK_BYTES, range);
  expect(begun.body).toMatchObject({ chunksTotal: 2, chunksUploaded: 1 });
  expect(await call('GET', `${FILES}/${begun.body.$id}/download`, person.session)).toMatchObject({ status: 404 });
  ahead += 25 * 3_600_000;
  expect(await sweepFiles(cluster.ctx)).toBeGreaterThanOrEqual(1);
  expect(await call('GET', `${FILES}/${begun.body.$id}`, person.session)).toMatchObject({ status: 404 });
  expect((await listStored()).length).toBe(before);
  expect(await upload(person, CHUNK_BYTES)).toMatchObject({ status: 201 });
});

test('a chunk that is repeated after its file is complete is answered with the file', async () => {
  const person = await addPerson();
  const range = { 'content-range': 'bytes 0-9/10' };
  const first = await upload(person, 10, range);
  expect(first.body).toMatchObject({ chunksTotal: 1, chunksUploaded: 1 });
  // Simulates a crash after the bytes were complete and before the row was.
  for (const shard of cluster.ctx.shards.all()) {
    await shard.query((db) => db.updateTable('file').set({ state: 'open' }).where('id', '=', first.body.$id).execute());
  }
  const again = await upload(person, 10, { ...range, 'x-appwrite-id': first.body.$id });
  expect(again).toMatchObject({ status: 201, body: { signature: first.body.signature, chunksUploaded: 1 } });
  expect(await call('GET', `${FILES}/${first.body.$id}/download`, person.session)).toMatchObject({ status: 200 });
});

const MISMATCH = { status: 400, body: { type: 'storage_file_type_unsupported' } };

test('a file whose content is not what its extension says is refused, and is not stored', async () => {
  const person = await addPerson();
  const before = (await listStored()).length;
  const page = new File(['<html><script>alert(1)</script></html>'], 'a.png');
  expect(await uploadFile(person, page)).toMatchObject(MISMATCH);
  expect(await uploadFile(person, new File([makePng(10)], 'a.jpg'))).toMatchObject(MISMATCH);
  expect((await listStored()).length).toBe(before);
  expect(await call('GET', FILES, person.session)).toMatchObject({ body: { total: 0 } });
});

test('the last chunk of a file is refused when its first chunk was sent under the name of another type', async () => {
  const person = await addPerson();
  const before = (await listStored()).length;
  const id = randomUUID();
  const range = (from: number, to: number) => ({
    'x-appwrite-id': id,
    'content-range': `bytes ${from}-${to}/${CHUNK_BYTES + 1}`,
  });
  const last = await uploadFile(person, new File(['x'], 'a.jpg'), range(CHUNK_BYTES, CHUNK_BYTES));
  expect(last.body).toMatchObject({ name: 'a.jpg', chunksUploaded: 1 });
  const first = new File([makePng(CHUNK_BYTES)], 'a.png');
  expect(await uploadFile(person, first, range(0, CHUNK_BYTES - 1))).toMatchObject(MISMATCH);
  expect(await call('GET', `${FILES}/${id}`, person.session)).toMatchObject({ status: 404 });
  expect((await listStored()).length).toBe(before);
});

test('a file can not be renamed to the extension of another type', async () => {
  const person = await addPerson();
  const { body } = await upload(person, 10);
  const rename = (name: string) => call('PUT', `${FILES}/${body.$id}`, person.session, { name });
  expect(await rename('a.html')).toMatchObject(MISMATCH);
  expect(await rename('b.png')).toMatchObject({ status: 200, body: { name: 'b.png' } });
});

test('deleting an account deletes its files', async () => {
  const person = await addPerson();
  const { body } = await upload(person, 10);
  const stored = (await listStored()).length;
  await removeAccount(cluster.ctx, person.account);
  expect((await listStored()).length).toBe(stored - 1);
  const other = await addPerson();
  const put = await call('PUT', `${FILES}/${body.$id}`, other.session, { name: 'b.png' });
  expect(put).toMatchObject({ status: 404 });
});

test('a client that disconnects in the middle of a file leaves no error in the log', async () => {
  const person = await addPerson();
  const { $id: file } = (await upload(person, CHUNK_BYTES)).body;
  takeLines();
  const headers = { 'x-appwrite-project': 'dostar', ...person.session };
  const { promise: isClosed, resolve } = Promise.withResolvers<void>();
  const sent = get(`${cluster.url}/v1${FILES}/${file}/download`, { headers }, (reply) => {
    reply.once('data', () => reply.destroy()).once('close', resolve);
  });
  sent.on('error', resolve);
  await isClosed;
  // The answer comes after the server has noticed the closed connection.
  expect(await call('GET', `${FILES}/${file}`, person.session)).toMatchObject({ status: 200 });
  expect(takeLines().filter((line) => line.includes('"level":50'))).toEqual([]);
});

test('a token lets a stranger read one file until it expires', async () => {
  const person = await addPerson();
  const { $id: file } = (await upload(person, 10)).body;
  const path = `${FILES}/${file}/view?project=dostar`;
  const { body: token } = await call('POST', `/tokens/buckets/pictures/files/${file}`, person.session, {
    expire: new Date(now() + 60_000).toISOString(),
  });
  expect(await call('GET', path, {})).toMatchObject({ status: 404 });
  expect(await call('GET', `${path}&token=${token.secret}`, {})).toMatchObject({ status: 200 });
  const { $id: other } = (await upload(person, 10)).body;
  expect(await call('GET', `${FILES}/${other}/view?token=${token.secret}`, {})).toMatchObject({ status: 401 });
  ahead += 120_000;
  expect(await call('GET', `${path}&token=${token.secret}`, {})).toMatchObject({ status: 404 });
  const stranger = await addPerson();
  expect(await call('POST', `/tokens/buckets/pictures/files/${file}`, stranger.session, {})).toMatchObject({
    status: 401,
  });
});

test('P1: files move with their bucket and can be read as before', async () => {
  const person = await addPerson();
  const { body } = await upload(person, 10);
  const bucket = bucketOf(ownerOf('bucket', 'dostar/pictures'));
  const home = cluster.ctx.placement.shardOf(ownerOf('bucket', 'dostar/pictures'));
  await moveBucket(cluster.ctx, bucket, 1 - home);
  expect(await call('GET', `${FILES}/${body.$id}`, person.session)).toMatchObject({ status: 200 });
  expect(await upload(person, 10)).toMatchObject({ status: 201 });
});

test('a form that ends in the middle is refused and leaves nothing', async () => {
  const person = await addPerson();
  const before = (await listStored()).length;
  const boundary = randomUUID();
  const reply = await fetch(`${cluster.url}/v1${FILES}`, {
    method: 'POST',
    headers: {
      'x-appwrite-project': 'dostar',
      ...person.session,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf`,
  });
  expect(reply.status).toBe(400);
  expect((await listStored()).length).toBe(before);
});

test('a form with a part whose headers do not end is refused, and does not keep its upload slot', async () => {
  const person = await addPerson();
  const headers = {
    'x-appwrite-project': 'dostar',
    ...person.session,
    'content-type': 'multipart/form-data; boundary=b',
  };
  const body = '--b\r\ncontent-disposition: form-data; name="folder"\r\na/\r\n--b--\r\n';
  // As many as the upload slots of one caller.
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => fetch(`${cluster.url}/v1${FILES}`, { method: 'POST', headers, body })),
  );
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(await upload(person, 10)).toMatchObject({ status: 201 });
});
