/** Slow uploads of one caller do not block other callers. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { BLOB_HEADER, CHUNK_HEADER, CHUNK_ROUTE, createBlob, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { addPerson, writeAppwriteFile } from './appwrite-people.ts';
import type { AppwritePerson } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const FILES = '/storage/buckets/pictures/files';
/** A bucket to which guests may upload. */
const OPEN = '/v1/storage/buckets/open/files';

let cluster: TestCluster;
let ahead = 0;
/** Node's answer once it has read the headers of a request. */
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
let heard = 0;
const sockets: Socket[] = [];
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const buckets = [
    { id: 'pictures', permissions: ['create("users")'], fileSecurity: true },
    { id: 'open', permissions: ['create("any")', 'read("any")'] },
  ];
  const env = { APPWRITE_CONFIG_FILE: await writeAppwriteFile({ buckets }) };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now: () => Date.now() + ahead } } });
});
afterEach(() => {
  heard = 0;
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => cluster[Symbol.asyncDispose]());

/**
 * Sends a request that announces 100,000 bytes but sends only `begin`. Resolves with the status line, if there is one.
 */
function trickle(method: string, path: string, headers: Record<string, string>, begin: string): Promise<string> {
  const { hostname, port } = new URL(cluster.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const head = { host: hostname, 'content-length': '100000', expect: '100-continue', ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${begin}`);
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on('error', () => {});
  socket.on('data', (answer) => {
    const [line = ''] = answer.toString().replace(CONTINUE, '').split('\r\n');
    if (answer.toString().startsWith(CONTINUE)) heard += 1;
    if (line !== '') resolve(line);
  });
  return promise;
}

const trickleForm = ({ headers }: AppwritePerson, begin = '--b\r\n') =>
  trickle(
    'POST',
    `/v1${FILES}`,
    {
      'x-appwrite-project': 'dostar',
      'x-appwrite-session': headers['x-appwrite-session']!,
      'content-type': 'multipart/form-data; boundary=b',
    },
    begin,
  );

const guest = (address: string) => ({ 'x-appwrite-project': 'dostar', 'x-forwarded-for': address });

async function upload(person: AppwritePerson): Promise<number> {
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', new Blob([Buffer.from('GIF89a x')]), 'a.gif');
  return (await person.call('POST', FILES, form)).status;
}

test('a caller has few upload slots and a short queue; more forms get 503, and other callers can upload', async () => {
  const [mallory, honest] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  const answers = Array.from({ length: 24 }, () => trickleForm(mallory));
  // 4 are read and 12 wait. The others are refused.
  const refused = await Promise.any(answers);
  expect(refused).toContain('503');
  expect(await upload(honest)).toBe(201);
});

test('guests of one IPv6 /48 share the slots of one caller, and other guests can upload', async () => {
  const answers = Array.from({ length: 24 }, (_, index) =>
    trickle(
      'POST',
      OPEN,
      { ...guest(`2001:db8:77:${index}::1`), 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\n',
    ),
  );
  expect(await Promise.any(answers)).toContain('503');
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', new Blob([Buffer.from('GIF89a x')]), 'a.gif');
  const answer = await fetch(`${cluster.url}${OPEN}`, {
    method: 'POST',
    headers: guest('2001:db8:78::1'),
    body: form,
  });
  expect(answer.status).toBe(201);
});

test('a form takes no slot before its first bytes arrive', async () => {
  const person = await addPerson(cluster.url);
  for (let n = 0; n < 24; n += 1) void trickleForm(person, '');
  await expect.poll(() => heard).toBe(24);
  // The answer to a later call shows that the server has identified the callers of the forms too.
  await person.call('GET', '/account');
  expect(await upload(person)).toBe(201);
});

test('a form that arrives too slowly is ended, and a waiting one takes its slot', async () => {
  const person = await addPerson(cluster.url);
  const slow = Array.from({ length: 4 }, () => trickleForm(person));
  await expect.poll(() => heard).toBe(4);
  await person.call('GET', '/account');
  const waiting = upload(person);
  ahead += 60_000;
  expect((await Promise.all(slow)).map((line) => line.split(' ')[1])).toEqual(['408', '408', '408', '408']);
  expect(await waiting).toBe(201);
});

test('a chunk of an attachment that arrives too slowly is ended, and one caller does not block others', async () => {
  const [alice, bob] = [await cluster.addAccount(), await cluster.addAccount()];
  const sendSlowly = async (person: typeof alice) => {
    const id = randomUUID() as BlobId;
    expect(await cluster.call(createBlob, person, { id, size: 100_000 })).toMatchObject({ status: 200 });
    const headers = {
      [CALL_HEADER]: '1',
      cookie: `${SESSION_COOKIE}=${person.token}`,
      [BLOB_HEADER]: id,
      [CHUNK_HEADER]: '0',
      [HASH_HEADER]: 'A'.repeat(43),
      'content-type': 'application/octet-stream',
    };
    return trickle('PUT', CHUNK_ROUTE.path, headers, 'x');
  };
  const slow = Array.from({ length: 31 }, () => sendSlowly(alice));
  expect(await Promise.any(slow)).toContain('503');
  const other = sendSlowly(bob);
  ahead += 60_000;
  expect(await other).toContain('400');
});

function part(rest: string, text: string): string {
  return `--b\r\ncontent-disposition: form-data; ${rest}\r\n\r\n${text}\r\n`;
}

test('a form without a boundary, with too much in it or with text that can not be stored is refused', async () => {
  const person = await addPerson(cluster.url);
  const send = (type: string, body: string | Buffer) =>
    fetch(`${cluster.url}/v1${FILES}`, {
      method: 'POST',
      headers: {
        'x-appwrite-project': 'dostar',
        'x-appwrite-session': person.headers['x-appwrite-session']!,
        'content-type': type,
      },
      body,
    }).then(({ status }) => status);
  const file = part('name="file"; filename="a.gif"', 'GIF89a x');
  const id = part('name="fileId"', 'unique()');
  const type = 'multipart/form-data; boundary=b';
  expect(await send('multipart/form-data', `${file}${id}--b--\r\n`)).toBe(400);
  expect(await send('multipart/form-data; boundary=', `${file}${id}--b--\r\n`)).toBe(400);
  expect(await send(type, `${file}${id}${part('name="folder"', 'a\0b/')}--b--\r\n`)).toBe(400);
  expect(await send(type, `${part('name="file"; filename="a\0.gif"', 'GIF89a x')}${id}--b--\r\n`)).toBe(400);
  expect(await send(type, Buffer.alloc(8 * 1024 * 1024, part('name="more"', 'x')))).toBe(400);
  expect(await send(type, `${file}${id}--b--\r\n`)).toBe(201);
});
