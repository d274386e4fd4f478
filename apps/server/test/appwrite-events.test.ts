/** `/v1/realtime`: which connections receive which events. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AppwriteSocket } from './appwrite-socket.ts';
import { addAppwritePerson } from './appwrite-person.ts';
import type { AppwritePerson } from './appwrite-person.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const NOTES = '/databases/main/collections/notes/documents';
const CHANNEL = 'databases.main.collections.notes.documents';
const DEFINITION = {
  hosts: ['app.test'],
  databases: [
    {
      id: 'main',
      collections: [
        {
          id: 'notes',
          permissions: ['create("users")'],
          documentSecurity: true,
          attributes: [
            { key: 'text', type: 'string', required: true },
            { key: 'count', type: 'integer' },
            { key: 'weight', type: 'float' },
          ],
        },
      ],
    },
  ],
  buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true }],
};

let cluster: TestCluster;
let alice: AppwritePerson;
let bob: AppwritePerson;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const file = join(tmpdir(), `service-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(DEFINITION));
  // Two servers: events of changes at one reach sockets of the other.
  cluster = await startTestCluster({ ...engines, servers: 2, env: { APPWRITE_CONFIG_FILE: file } });
  [alice, bob] = [await addAppwritePerson(cluster), await addAppwritePerson(cluster)];
});
afterAll(() => cluster[Symbol.asyncDispose]());

// The standard library's types do not know `rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const elsewhere = (): string => cluster.servers[1]!.url;
const own = ({ id }: AppwritePerson): string[] => [
  `read("user:${id}")`,
  `update("user:${id}")`,
  `delete("user:${id}")`,
];
const forAll = (person: AppwritePerson): string[] => ['read("any")', ...own(person)];

async function listen(
  person: AppwritePerson | undefined,
  channels: string[],
  queries?: string[],
): Promise<AppwriteSocket> {
  const socket = await AppwriteSocket.open(elsewhere(), person && { 'x-appwrite-session': person.secret });
  await socket.heard(({ type }) => type === 'connected');
  await socket.subscribe('one', channels, queries);
  return socket;
}

async function write(person: AppwritePerson, permissions: string[], data: object = { text: 'words' }): Promise<string> {
  const { status, body } = await person.call('POST', NOTES, { documentId: 'unique()', data, permissions });
  expect(status).toBe(201);
  return body.$id as string;
}

test('creating, changing and deleting a document sends one event each, with all channel names', async () => {
  const socket = await listen(alice, [CHANNEL, 'documents']);
  const id = await write(alice, own(alice), { text: 'words', count: 9_007_199_254_740_991 });
  await alice.call('PATCH', `${NOTES}/${id}`, { data: { text: 'other' } });
  // An update without a change sends no event.
  await alice.call('PATCH', `${NOTES}/${id}`, { data: { text: 'other' } });
  await alice.call('DELETE', `${NOTES}/${id}`, {});
  await socket.heard(({ data }) => data.events?.[0] === `${CHANNEL}.${id}.delete`);
  expect(socket.events.map(({ events }) => events[0])).toEqual(
    ['create', 'update', 'delete'].map((doing) => `${CHANNEL}.${id}.${doing}`),
  );
  const [made] = socket.events;
  expect(made).toMatchObject({
    channels: expect.arrayContaining(['documents', CHANNEL, `${CHANNEL}.${id}`, `${CHANNEL}.${id}.create`]),
    events: expect.arrayContaining(['databases.*.collections.*.documents.*.create']),
    payload: { $id: id, text: 'words', count: 9_007_199_254_740_991 },
    subscriptions: ['one'],
    timestamp: expect.stringMatching(/\+00:00$/),
  });
  socket.close();
});

test('users and guests get no events about documents that they may not read', async () => {
  const [hers, his, guests] = await Promise.all([alice, bob, undefined].map((who) => listen(who, [CHANNEL])));
  const hidden = await write(alice, own(alice));
  const open = await write(alice, forAll(alice));
  for (const socket of [hers!, his!, guests!]) await socket.heard(({ data }) => data.payload?.$id === open);
  expect([hers!.ids, his!.ids, guests!.ids]).toEqual([[hidden, open], [open], [open]]);
  // Permissions are checked for each event, so a revoked one applies to the next change.
  await alice.call('PATCH', `${NOTES}/${open}`, { permissions: own(alice) });
  await alice.call('PATCH', `${NOTES}/${open}`, { data: { text: 'secret' } });
  const last = await write(alice, forAll(alice));
  for (const socket of [his!, guests!]) await socket.heard(({ data }) => data.payload?.$id === last);
  expect([his!.ids, guests!.ids]).toEqual([
    [open, last],
    [open, last],
  ]);
  for (const socket of [hers!, his!, guests!]) socket.close();
});

test('a channel with an action gets only that action, and one of a document only that document', async () => {
  const socket = await AppwriteSocket.open(elsewhere(), { 'x-appwrite-session': alice.secret });
  const id = await write(alice, own(alice));
  await socket.subscribe('deletions', [`${CHANNEL}.delete`]);
  await socket.subscribe('single', [`${CHANNEL}.${id}`]);
  const other = await write(alice, own(alice));
  await alice.call('PATCH', `${NOTES}/${id}`, { data: { text: 'other' } });
  await alice.call('DELETE', `${NOTES}/${other}`, {});
  await alice.call('DELETE', `${NOTES}/${id}`, {});
  await socket.heard(({ data }) => data.events?.[0] === `${CHANNEL}.${id}.delete`);
  expect(socket.events.map(({ payload, subscriptions }) => [payload.$id, subscriptions])).toEqual([
    [id, ['single']],
    [other, ['deletions']],
    [id, ['deletions', 'single']],
  ]);
  socket.close();
});

test('queries filter events; an invalid one is refused and the socket stays open', async () => {
  const query = JSON.stringify({ method: 'greaterThan', attribute: 'count', values: [5] });
  const socket = await listen(alice, [CHANNEL], [query]);
  await write(alice, own(alice), { text: 'few', count: 5 });
  const many = await write(alice, own(alice), { text: 'many', count: 6 });
  await socket.heard(({ data }) => data.payload?.$id === many);
  expect(socket.ids).toEqual([many]);
  socket.say('subscribe', [{ subscriptionId: 'bad', channels: [CHANNEL], queries: ['{"method":"regex"}'] }]);
  expect(await socket.heard(({ type }) => type === 'error')).toMatchObject({ data: { code: 1003 } });
  socket.close();
});

test('a document with a large number can be received, read, listed and changed', async () => {
  const queries = ['{"method":"greaterThan","attribute":"weight","values":[1]}'];
  const socket = await listen(alice, [CHANNEL], queries);
  for (const text of ['1e18', '1000000000000000000', '1e20', '1e308']) {
    const weight = Number(text);
    const id = await write(alice, own(alice), { text: 'large', weight: rawJSON(text) });
    expect(await socket.heard(({ data }) => data.payload?.$id === id)).toMatchObject({ data: { payload: { weight } } });
    expect(await alice.call('GET', `${NOTES}/${id}`)).toMatchObject({ status: 200, body: { weight } });
    expect(await alice.call('GET', NOTES)).toMatchObject({ status: 200 });
    const changed = await alice.call('PATCH', `${NOTES}/${id}`, { data: { text: 'changed' } });
    expect(changed).toMatchObject({ status: 200, body: { weight } });
  }
  socket.close();
});

test('files cause events like documents', async () => {
  const [hers, his] = [await listen(alice, ['files']), await listen(bob, ['buckets.files.files'])];
  const ids: string[] = [];
  for (const permissions of [own(alice), forAll(alice)]) {
    const form = new FormData();
    form.set('fileId', 'unique()');
    form.set('file', new File(['words'], 'a.txt'));
    for (const permission of permissions) form.append('permissions[]', permission);
    ids.push((await alice.call('POST', '/storage/buckets/files/files', form)).body.$id as string);
  }
  await alice.call('DELETE', `/storage/buckets/files/files/${ids[1]}`, {});
  for (const socket of [hers, his]) await socket.heard(({ data }) => data.events?.[0]?.endsWith(`${ids[1]}.delete`));
  expect(hers.events.map(({ events }) => events[0].split('.').slice(3).join(' '))).toEqual([
    `${ids[0]} create`,
    `${ids[1]} create`,
    `${ids[1]} delete`,
  ]);
  expect(his.ids).toEqual([ids[1], ids[1]]);
  for (const socket of [hers, his]) socket.close();
});

test('an account gets its own events and no others', async () => {
  const person = await addAppwritePerson(cluster);
  const [own_, others] = [await listen(person, ['account']), await listen(bob, ['account', `account.${person.id}`])];
  await person.call('PATCH', '/account/name', { name: 'Aigerim' });
  await own_.heard(({ data }) => data.payload?.name === 'Aigerim');
  await bob.call('PATCH', '/account/name', { name: 'Bolat' });
  await others.heard(({ data }) => data.payload?.name === 'Bolat');
  expect(others.ids).toEqual([bob.id]);
  for (const socket of [own_, others]) socket.close();
});

test('a connection loses its access with its session', async () => {
  const person = await addAppwritePerson(cluster);
  const socket = await listen(person, [CHANNEL, 'account']);
  const { secret } = await person.signIn();
  const again = { 'x-appwrite-session': secret };
  await socket.heard(({ data }) => data.events?.[0]?.endsWith('.create'));
  await socket.settle();
  await person.call('DELETE', '/account/sessions/current', {});
  await socket.heard(({ data }) => data.events?.[0]?.endsWith('.delete'));
  // The answer comes after the server has checked the session again.
  await socket.settle();
  const newDocument = { documentId: 'unique()', data: { text: 'words' } };
  const { status, body } = await person.call('POST', NOTES, newDocument, again);
  expect(status).toBe(201);
  const open = await write(alice, forAll(alice));
  await socket.heard(({ data }) => data.payload?.$id === open);
  expect(socket.ids).not.toContain(body.$id);
  socket.close();
});

test('authentication before a subscription takes effect first', async () => {
  const socket = await AppwriteSocket.open(elsewhere());
  socket.say('authentication', { session: alice.secret });
  socket.say('subscribe', [{ subscriptionId: 'one', channels: [CHANNEL] }]);
  await socket.heard(({ data }) => data.to === 'subscribe');
  expect(socket.frames.map(({ type, data }) => [type, data.to])).toEqual([
    ['connected', undefined],
    ['response', 'authentication'],
    ['response', 'subscribe'],
  ]);
  expect(socket.frames[0]).toMatchObject({ data: { user: null } });
  const id = await write(alice, own(alice));
  await socket.heard(({ data }) => data.payload?.$id === id);
  socket.say('unsubscribe', [{ subscriptionId: 'one' }, { subscriptionId: 'two' }]);
  const { data } = await socket.heard((frame) => frame.data.to === 'unsubscribe');
  expect(data.subscriptions.map(({ removed }: { removed: boolean }) => removed)).toEqual([true, false]);
  socket.close();
});

test('an invalid frame is refused and the socket stays open', async () => {
  const socket = await AppwriteSocket.open(elsewhere());
  for (const text of ['{', '[]', '{"type":"dance"}', '{"type":"authentication","data":{"session":"junk"}}']) {
    socket.sendRaw(text);
  }
  await expect.poll(() => socket.frames.filter(({ type }) => type === 'error').length).toBe(4);
  expect(socket.frames.filter(({ type }) => type === 'error').every(({ data }) => data.code === 1003)).toBe(true);
  socket.say('ping');
  await socket.heard(({ type }) => type === 'pong');
  socket.close();
});

test('a client that sends too much is warned, and disconnected if it continues', async () => {
  const socket = await AppwriteSocket.open(elsewhere());
  for (let n = 0; n < 80; n += 1) socket.say('ping');
  expect(await socket.heard(({ data }) => data.code === 1013)).toBeDefined();
  expect(socket.closed).toBeUndefined();
  for (let n = 0; n < 800; n += 1) socket.say('ping');
  await expect.poll(() => socket.closed).toBe(1013);
});

test('queries of a subscription compare only with plain values', async () => {
  const socket = await listen(undefined, [CHANNEL]);
  for (const [n, values] of [[{ much: ['more'] }], [1, [2]], [[[[]]]]].entries()) {
    const queries = [JSON.stringify({ method: 'equal', attribute: 'text', values })];
    socket.say('subscribe', [{ subscriptionId: `bad${n}`, channels: [CHANNEL], queries }]);
    await expect.poll(() => socket.frames.filter(({ data }) => data.code === 1003).length).toBe(n + 1);
  }
  await socket.subscribe('plain', [CHANNEL], ['{"method":"equal","attribute":"text","values":["a",1,true,null]}']);
  socket.close();
});

/** A query of three kilobytes. */
const longQuery = (n: number): string =>
  JSON.stringify({ method: 'equal', attribute: `a${n}`, values: Array.from({ length: 3 }, () => 'x'.repeat(1000)) });

test('subscriptions of a connection are limited in size, and ending one frees space', async () => {
  const socket = await listen(undefined, [CHANNEL]);
  for (let n = 0; n < 5; n += 1) await socket.subscribe(`s${n}`, [CHANNEL], [longQuery(n)]);
  socket.say('subscribe', [{ subscriptionId: 'more', channels: [CHANNEL], queries: [longQuery(5)] }]);
  expect(await socket.heard(({ data }) => data.code === 1003)).toMatchObject({
    data: { message: 'Too much is wanted.' },
  });
  // Subscribing again under the same id replaces the subscription.
  await socket.subscribe('s4', [CHANNEL], [longQuery(6)]);
  socket.say('unsubscribe', [{ subscriptionId: 's0' }]);
  await socket.subscribe('more', [CHANNEL], [longQuery(5)]);
  socket.close();
});

test('clients of an unknown project or another site are disconnected', async () => {
  for (const [headers, query] of [
    [{}, 'project=other'],
    [{}, ''],
    [{ origin: 'https://elsewhere.example' }, 'project=dostar'],
  ] as const) {
    const socket = await AppwriteSocket.open(elsewhere(), headers, query);
    await expect.poll(() => socket.closed).toBe(1008);
    expect(socket.frames).toMatchObject([{ type: 'error', data: { code: 1008 } }]);
  }
  const socket = await AppwriteSocket.open(elsewhere(), { origin: 'https://app.test' });
  await socket.heard(({ type }) => type === 'connected');
  socket.close();
});

test('concurrent increments are all applied, up to the limit, and each sends an event', async () => {
  const socket = await listen(alice, [`${CHANNEL}.update`]);
  const id = await write(alice, forAll(alice));
  const step = (word: string, body: object, who = alice) => who.call('PATCH', `${NOTES}/${id}/count/${word}`, body);
  await Promise.all(Array.from({ length: 5 }, () => step('increment', { value: 2 })));
  expect((await step('decrement', {})).body).toMatchObject({ count: 9 });
  expect(await step('increment', { value: 2, max: 10 })).toMatchObject({ body: { type: 'attribute_limit_exceeded' } });
  expect(await step('decrement', { min: 9 })).toMatchObject({ body: { type: 'attribute_limit_exceeded' } });
  expect(await step('increment', { value: 0 })).toMatchObject({ body: { type: 'general_argument_invalid' } });
  expect(await step('increment', {}, bob)).toMatchObject({ body: { type: 'user_unauthorized' } });
  const path = `${NOTES}/${id}`;
  expect(await alice.call('PATCH', `${path}/text/increment`, {})).toMatchObject({
    body: { type: 'attribute_type_invalid' },
  });
  expect(await alice.call('PATCH', `${path}/nope/increment`, {})).toMatchObject({
    body: { type: 'attribute_not_found' },
  });
  await expect.poll(() => socket.events.length).toBe(6);
  socket.close();
});
