/** Data of the product as documents of `/v1`: the user's own document and messages. */
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createUserDocument } from '../src/features/people/users/service.ts';
import { addAppwritePerson, callAppwrite } from './appwrite-person.ts';
import type { AppwriteAnswer } from './appwrite-person.ts';
import { ORIGIN, startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

const COLLECTIONS = '/databases/main/collections';

let cluster: TestCluster;
let alice: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  // On two shards, each of which has one side of the chat.
  [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  for (const { account } of [alice, bob]) {
    await createUserDocument(cluster.ctx, account, { email: `${account}@example.org`, verifiedAt: 1 });
  }
  await cluster.befriend(alice, bob);
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function ask(person: SignedIn, path: string, queries: object[] = [], method = 'GET'): Promise<AppwriteAnswer> {
  const cookie = `${SESSION_COOKIE}=${person.token}`;
  const own = { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const asked = queries.map((query, n) => `queries[${n}]=${encodeURIComponent(JSON.stringify(query))}`).join('&');
  return callAppwrite(cluster, method, `${COLLECTIONS}${path}?${asked}`, method === 'GET' ? undefined : {}, own);
}

test('the first document of a query is the newest message of a chat, sealed as it lies in the mailbox', async () => {
  for (const text of ['one', 'two', 'three']) await cluster.send(alice, bob, text);
  await cluster.send(bob, alice, 'four');
  const chatId = directChat(alice.account, bob.account);
  const newest = [
    { method: 'equal', attribute: 'chatId', values: [chatId] },
    { method: 'orderDesc', attribute: 'timestamp' },
    { method: 'orderDesc', attribute: '$sequence' },
    { method: 'limit', values: [1] },
  ];
  const { status, body } = await ask(bob, '/messages/documents', newest);
  expect(status).toBe(200);
  expect(body.total).toBe(4);
  const [first] = body.documents;
  expect(Object.keys(first).filter((name) => !name.startsWith('$'))).toEqual([
    'chatId',
    'senderId',
    'receiverId',
    'text',
    'timestamp',
    'status',
    'media',
  ]);
  expect(first).toMatchObject({
    chatId,
    senderId: bob.account,
    receiverId: alice.account,
    text: Buffer.from('four').toString('base64url'),
    timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}\+00:00$/),
    media: [],
  });
  const found = await ask(bob, `/messages/documents/${first.$id}`);
  expect(found).toMatchObject({ status: 200, body: { $id: first.$id, senderId: bob.account } });
  const received = await ask(bob, '/messages/documents', [
    { method: 'equal', attribute: 'receiverId', values: [bob.account] },
  ]);
  expect(
    received.body.documents.map(({ text }: { text: string }) => Buffer.from(text, 'base64url').toString()),
  ).toEqual(['one', 'two', 'three']);
  expect(received.body.documents).toMatchObject([{ senderId: alice.account, status: 'delivered' }, {}, {}]);
});

test('an account sees no messages of others, and writes none here', async () => {
  const [mine] = (await ask(alice, '/messages/documents')).body.documents;
  const stranger = await cluster.addAccount();
  await createUserDocument(cluster.ctx, stranger.account, { email: null, verifiedAt: null });
  expect(await ask(stranger, '/messages/documents')).toMatchObject({ status: 200, body: { total: 0 } });
  expect(await ask(stranger, `/messages/documents/${mine.$id}`)).toMatchObject({ status: 404 });
  expect(await callAppwrite(cluster, 'GET', `${COLLECTIONS}/messages/documents`)).toMatchObject({ status: 401 });
  const person = await addAppwritePerson(cluster);
  const made = { documentId: 'unique()', data: { text: 'words' } };
  expect(await person.call('POST', `${COLLECTIONS}/messages/documents`, made)).toMatchObject({ status: 401 });
  expect(await ask(alice, `/messages/documents/${mine.$id}`, [], 'DELETE')).toMatchObject({ status: 404 });
  expect(await ask(alice, '/messages/documents/none')).toMatchObject({ status: 404 });
});

test('the own document is the only one in the list of users', async () => {
  const { status, body } = await ask(alice, '/users/documents');
  expect([status, body.total]).toEqual([200, 1]);
  expect(body.documents[0]).toMatchObject({ $id: alice.account, isVerified: true, FCMToken: [], publicKey: null });
  expect(await ask(alice, `/users/documents/${alice.account}`)).toMatchObject({ status: 200 });
  expect(await ask(alice, `/users/documents/${bob.account}`)).toMatchObject({ status: 404 });
});
