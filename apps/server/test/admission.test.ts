/** The server checks the caller and the rate limit before it reads the body. */
import { request as openRequest } from 'node:http';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { sendCode } from '@dostar/protocol/contract/accounts';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { startLogin } from '@dostar/protocol/contract/passwords';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { takeLines } from './server-log.ts';
import { addPerson, AppwriteClient } from './appwrite-people.ts';
import { callServer, newMessageId, randomBody, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

type Headers = Record<string, string>;

/** Announces a body and sends none: an answer shows that the server did not wait for it. */
function announce(method: string, path: string, headers: Headers): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = openRequest(new URL(path, cluster.url), {
    method,
    headers: { 'content-type': 'application/json', 'content-length': '60000', ...headers },
  });
  sent.on('response', (reply) => {
    let text = '';
    reply.on('data', (piece: Buffer) => (text += piece.toString()));
    reply.on('end', () => {
      resolve({ status: reply.statusCode ?? 0, text });
      sent.destroy();
    });
  });
  sent.on('error', reject);
  sent.flushHeaders();
  return promise;
}

const post = async (path: string, headers: Headers) => (await announce('POST', path, headers)).status;
const call = async ({ method, path }: Endpoint, headers: Headers) => (await announce(method, path, headers)).status;
const from = (address: string) => ({ ...project, 'x-forwarded-for': address });
const ours = { [CALL_HEADER]: '1' };
const project = { 'x-appwrite-project': 'dostar' };

test('/v1: an unknown project, a missing session and an invalid API key are refused before the body is read', async () => {
  expect(await post('/v1/account', {})).toBe(404);
  expect(await post('/v1/account/jwts', project)).toBe(401);
  expect(await post('/v1/account', { ...project, 'x-appwrite-key': 'made up' })).toBe(401);
  expect(await post('/v1/nothing-here', project)).toBe(404);
});

test('/v1: a call over its rate limit is refused before the body is read, whatever the limit counts', async () => {
  for (const [method, path, points] of [
    ['POST', '/account', 10],
    ['POST', '/account/sessions/email', 50],
    ['POST', '/account/recovery', 100],
    ['PUT', '/account/recovery', 100],
    ['PUT', '/account/verification', 100],
    ['POST', '/account/sessions/token', 100],
  ] as const) {
    const address = `10.8.0.${path.length}`;
    const client = new AppwriteClient(cluster.url, from(address));
    await Promise.all(Array.from({ length: points }, () => client.call(method, path, {})));
    expect(await announce(method, `/v1${path}`, from(address)), path).toMatchObject({ status: 429 });
  }
});

test('/v1: a body is 64 KB at most, except for documents and preferences', async () => {
  const person = await addPerson(cluster.url);
  const long = 'x'.repeat(70_000);
  expect(await person.call('PATCH', '/account/name', { name: long })).toMatchObject({ status: 400 });
  const named = await person.call('PATCH', '/account/name', { name: 'Dana', more: long });
  expect(named).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
  expect(await person.call('PATCH', '/account/prefs', { prefs: { some: 'x'.repeat(60_000) } })).toMatchObject({
    status: 200,
  });
  const path = '/databases/main/collections/messages/documents';
  expect((await person.call('POST', path, { documentId: 'a', data: { text: long } })).status).not.toBe(413);
});

test('/api: a foreign origin, a missing session and an invalid token are refused before the body is read', async () => {
  expect(await call(sendMessage, {})).toBe(403);
  expect(await call(sendMessage, { ...ours, origin: 'https://elsewhere.example' })).toBe(403);
  expect(await call(sendMessage, ours)).toBe(401);
  expect(await call(sendMessage, { ...ours, cookie: `${SESSION_COOKIE}=${randomBody(48)}` })).toBe(401);
  expect(await call(sendCode, { ...ours, cookie: `${TICKET_COOKIE}=${randomBody(32)}` })).toBe(409);
});

test('/api: a call over its rate limit is refused before the body is read', async () => {
  const visitor = { 'x-forwarded-for': '10.8.1.1' };
  const calls = Array.from({ length: 120 }, () => callServer(cluster.url, startLogin, undefined, {} as never, visitor));
  await Promise.all(calls);
  expect(await call(startLogin, { ...ours, ...visitor })).toBe(429);
});

test('/api: a body without a session is 64 KB at most, one with a session may hold a whole message', async () => {
  const [alice, bob] = await cluster.addFriends();
  const body = randomBody(60_000);
  expect(await cluster.call(sendMessage, alice, { id: newMessageId(), to: bob.account, body })).toMatchObject({
    status: 200,
  });
  const login = { email: 'a@example.org', request: 'x'.repeat(70_000) };
  expect(await cluster.call(startLogin, undefined, login)).toMatchObject({ status: 413 });
});

test('/api: JSON that can not be stored or is nested too deeply is refused and not logged', async () => {
  const alice = await cluster.addAccount();
  const send = (text: string) =>
    fetch(new URL(sendMessage.path, cluster.url), {
      method: sendMessage.method,
      headers: { ...ours, cookie: `${SESSION_COOKIE}=${alice.token}`, 'content-type': 'application/json' },
      body: text,
    }).then((reply) => reply.status);
  for (const text of ['{"id":"\\u0000"}', '{"__proto__":{}}', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, '{', '""'])
    expect(await send(text), text.slice(0, 20)).toBe(400);
  expect(takeLines()).toEqual([]);
});

test('a request target that can not be decoded, holds a NUL or names an invalid host is refused without repeating it', async () => {
  const { hostname, port } = new URL(cluster.url);
  const ask = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = openRequest({ hostname, port, path, headers: { ...ours, ...project } }, (reply) => {
        let text = '';
        reply.on('data', (piece: Buffer) => (text += piece.toString()));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end();
    });
  for (const path of [
    '/v1/%zzword',
    '/api/%zzword',
    '/v1/databases/word%00/collections/a/documents',
    '/word%00',
    'http://[/word',
  ]) {
    const { status, text } = await ask(path);
    expect([status, text.includes('word')], path).toEqual([400, false]);
  }
  expect(takeLines()).toEqual([]);
});
