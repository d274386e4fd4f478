/** Answers of real servers match the OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addAppwritePerson, callAppwrite } from './appwrite-person.ts';
import type { AppwriteAnswer } from './appwrite-person.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Validates answers against a document and records which operations it has seen. */
function openDocument(name: string) {
  const document = JSON.parse(readFileSync(new URL(`../../../docs/api/${name}`, import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, { content?: object }>; 'x-errors': string[] }>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, name, undefined, false);
  const seen = new Set<string>();
  return {
    seen,
    expectMatch(method: string, path: string, status: number, body: unknown): void {
      const said = document.paths[path]?.[method.toLowerCase()]?.responses[status];
      expect(said, `${method} ${path} answered ${status}, which is not documented`).toBeDefined();
      seen.add(`${method} ${path}`);
      if (!said?.content) return expect(body).toBeUndefined();
      if (status >= 400) {
        const { error, type = error } = body as { error?: string; type?: string };
        expect(document.paths[path]?.[method.toLowerCase()]?.['x-errors']).toContain(type);
      }
      const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema'];
      const pointer = place.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')));
      const check = ajv.compile({ $ref: `${name}#/${pointer.join('/')}` });
      const isMatch = check(body);
      expect(check.errors ?? [], `${method} ${path} ${JSON.stringify(body)}`).toEqual([]);
      expect(isMatch).toBe(true);
    },
  };
}

test('answers of /api match openapi.json', async () => {
  const { seen, expectMatch } = openDocument('openapi.json');
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);

  async function call(method: string, path: string, body?: unknown, person: Person | undefined = alice) {
    const reply = await fetch(new URL(path, cluster.url), {
      method,
      headers: {
        [CALL_HEADER]: ANY_ACCOUNT,
        ...(person && { cookie: `${SESSION_COOKIE}=${person.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await reply.json();
    expectMatch(method, path, reply.status, answer);
    return { status: reply.status, answer: answer as never };
  }

  for (const path of [
    '/api/session',
    '/api/sessions',
    '/api/auth/user',
    '/api/auth/news',
    '/api/auth/password-rules',
    '/api/auth/lock',
    '/api/auth/prove',
    '/api/devices',
    '/api/get-contacts',
    '/api/invites',
    '/api/operator',
    '/api/privacy',
    '/api/profile',
    '/api/push/cloud',
    '/api/push/key',
    '/api/stats',
  ]) {
    expect(await call('GET', path), path).toMatchObject({ status: 200 });
  }
  const peer = bob.account;
  const id = newMessageId();
  const chat = directChat(alice.account, bob.account);
  for (const [path, body] of [
    ['/api/contacts/find', { username: bob.username }],
    ['/api/contacts/users', { accounts: [peer] }],
    ['/api/contacts/decide', { act: crypto.randomUUID(), peer, decision: 'accept' }],
    ['/api/contacts/change', { act: crypto.randomUUID(), peer, changes: { pinned: true } }],
    ['/api/invites/create', {}],
    ['/api/keys/query', { device_keys: { [`@${peer}:dostar`]: [] } }],
    ['/api/messages/check-recipient', { to: peer }],
    ['/api/messages/send', { id, to: peer, body: Buffer.from('salem').toString('base64url') }],
    ['/api/messages/history', { chat }],
    ['/api/privacy', { typing: false }],
    ['/api/profile/of', { account: peer }],
    ['/api/profile/username/check', { username: 'nobody.has.this' }],
    ['/api/vault/get', { kind: 'secrets' }],
    ['/api/vault/put', { kind: 'profile', rev: 0, blob: 'AAAA' }],
    ['/api/account-data/put', { name: 'a'.repeat(43), value: 'AAAA' }],
    ['/api/backup/create', { algorithm: 'org.example', auth_data: {} }],
    ['/api/blobs/create', { id: crypto.randomUUID(), size: 5 }],
  ] as const) {
    expect(await call('POST', path, body), path).toMatchObject({ status: 200 });
  }
  // Documented refusals: before the body is read, while it is parsed, and by the feature.
  expect(await call('GET', '/api/session', undefined, { ...alice, token: 'none' })).toMatchObject({ status: 401 });
  expect(await call('POST', '/api/messages/send', { id })).toMatchObject({ status: 400 });
  expect(await call('POST', '/api/contacts/find', { username: 'nobody.at.all' })).toMatchObject({ status: 404 });
  expect(await call('POST', '/api/vault/put', { kind: 'profile', rev: 7, blob: 'AAAA' })).toMatchObject({
    status: 409,
  });
  expect(await call('DELETE', '/api/session')).toMatchObject({ status: 200 });
  expect(seen.size).toBeGreaterThan(30);
});

test('answers of /v1 match v1.json', async () => {
  const { seen, expectMatch } = openDocument('v1.json');
  const person = await addAppwritePerson(cluster);
  const NOTES = '/databases/{database}/collections/{collection}/documents';
  const FILES = '/storage/buckets/{bucket}/files';
  const values: Record<string, string> = { database: 'main', collection: 'users', bucket: 'pictures', topic: 'news' };

  function fill(path: string): string {
    return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? 'none');
  }
  async function call(method: string, path: string, body?: unknown): Promise<AppwriteAnswer> {
    const answer = await person.call(method, fill(path), body);
    expectMatch(method, path, answer.status, answer.body);
    return answer;
  }

  for (const [method, path, status, body] of [
    ['GET', '/ping', 200],
    ['GET', '/account', 200],
    ['GET', '/account/prefs', 200],
    ['PATCH', '/account/prefs', 200, { prefs: { theme: 'dark' } }],
    ['PATCH', '/account/name', 200, { name: 'Aigerim' }],
    ['GET', '/account/sessions', 200],
    ['POST', '/account/jwts', 201, { duration: 60 }],
    ['POST', '/account/jwt', 201, {}],
    ['GET', '/account/mfa/factors', 200],
    ['POST', '/account/mfa/recovery-codes', 201, {}],
    ['POST', '/account/targets/push', 201, { targetId: 'phone', identifier: 'token' }],
    ['POST', '/messaging/topics/{topic}/subscribers', 201, { subscriberId: 'unique()', targetId: 'phone' }],
    ['GET', NOTES, 200],
    ['GET', FILES, 200],
  ] as [string, string, number, unknown?][]) {
    expect(await call(method, path, body), `${method} ${path}`).toMatchObject({ status });
  }
  values['session'] = 'current';
  expect(await call('GET', '/account/sessions/{session}')).toMatchObject({ status: 200 });

  const form = new FormData();
  form.set('fileId', 'unique()');
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png');
  const uploaded = await call('POST', FILES, form);
  expect(uploaded).toMatchObject({ status: 201 });
  values['file'] = (uploaded.body as { $id: string }).$id;
  expect(await call('GET', `${FILES}/{file}`)).toMatchObject({ status: 200 });
  expect(await call('PUT', `${FILES}/{file}`, { name: 'point.png' })).toMatchObject({ status: 200 });
  expect(await call('POST', '/tokens/buckets/{bucket}/files/{file}', {})).toMatchObject({ status: 201 });
  expect(await call('DELETE', `${FILES}/{file}`)).toMatchObject({ status: 204 });

  // Documented refusals.
  expect(await call('GET', `${FILES}/{file}`)).toMatchObject({ status: 404 });
  expect(await call('POST', '/account/sessions/email', { email: 'a@b.example', password: 'abcd' })).toMatchObject({
    status: 401,
  });
  values['collection'] = 'notes';
  expect(await call('POST', NOTES, { documentId: 'unique()', data: { title: 'x' } })).toMatchObject({ status: 401 });
  expect(await call('POST', NOTES, { data: {} })).toMatchObject({ status: 400 });
  expect(await call('DELETE', '/account/sessions/{session}')).toMatchObject({ status: 204 });
  const guest = await callAppwrite(cluster, 'GET', '/account');
  expectMatch('GET', '/account', guest.status, guest.body);
  expect(guest.status).toBe(401);
  expect(seen.size).toBeGreaterThan(20);
});
