/** The user document on `/v1`, and the default definition of an installation without a `APPWRITE_CONFIG_FILE`. */
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { getUser } from '@dostar/protocol/contract/users';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startAppwriteSession } from '../src/appwrite/accounts/service.ts';
import { AppwriteSocket } from './appwrite-socket.ts';
import { addPerson, addProductPerson, AppwriteClient } from './appwrite-people.ts';
import type { ProductPerson } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const USERS = '/databases/main/collections/users/documents';
const HOUR = 3_600_000;

let cluster: TestCluster;
let ahead = 0;
beforeAll(async () => {
  const overrides = { clock: { now: () => Date.now() + ahead } };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), overrides });
});
afterAll(() => cluster[Symbol.asyncDispose]());

const addOwner = (): Promise<ProductPerson> => addProductPerson(cluster, true);

const refusal = (status: number, type: string) => ({ status, body: { type } });

test('its owner changes the document, which is the same as on /api', async () => {
  const owner = await addOwner();
  const path = `${USERS}/${owner.account}`;
  const before = (await owner.call('GET', path)).body;
  expect(before.$permissions).toEqual(
    ['read', 'update', 'delete'].map((action) => `${action}("user:${owner.account}")`),
  );
  ahead += HOUR;
  for (const [method, tokens] of [
    ['PATCH', ['one']],
    ['PUT', ['one', 'two']],
  ] as const) {
    const changed = await owner.call(method, path, { data: { FCMToken: tokens } });
    expect(changed).toMatchObject({ status: 200, body: { FCMToken: tokens, username: before.username } });
    expect(Date.parse(changed.body.$updatedAt)).toBeGreaterThan(Date.parse(before.$updatedAt));
    expect(await cluster.call(getUser, owner)).toMatchObject({ body: { FCMToken: tokens } });
  }
  // A client may send the whole document back: unchanged attributes are not an error.
  const now = (await owner.call('GET', path)).body;
  const again = await owner.call('PATCH', path, { data: now, permissions: now.$permissions });
  expect(again).toMatchObject({ status: 200, body: { ...now, $updatedAt: now.$updatedAt } });
});

test('only the owner gets the event of a change', async () => {
  const [owner, other] = [await addOwner(), await addOwner()];
  const channel = 'databases.main.collections.users.documents';
  const [own, others] = await Promise.all(
    [owner, other].map(async ({ headers }) => {
      const socket = await AppwriteSocket.open(cluster.url, headers);
      await socket.subscribe('one', [channel]);
      return socket;
    }),
  );
  for (const person of [owner, other])
    await person.call('PATCH', `${USERS}/${person.account}`, { data: { FCMToken: ['one'] } });
  // The other owner's change comes later, so an event of the first would have arrived before it.
  await others!.heard(({ data }) => data.payload?.$id === other.account);
  await own!.heard(({ data }) => data.payload?.$id === owner.account);
  expect([own!.ids, others!.ids]).toEqual([[owner.account], [other.account]]);
  for (const socket of [own!, others!]) socket.close();
});

test('lastOnline is set to the time of the server', async () => {
  const owner = await addOwner();
  const data = { lastOnline: '2001-01-01T00:00:00.000Z' };
  const { status, body } = await owner.call('PATCH', `${USERS}/${owner.account}`, { data });
  expect(status).toBe(200);
  expect(Math.abs(Date.parse(body.lastOnline) - Date.now() - ahead)).toBeLessThan(60_000);
});

test('attributes that other calls set can not be set here', async () => {
  const owner = await addOwner();
  const path = `${USERS}/${owner.account}`;
  for (const data of [
    { email: 'other@example.org' },
    { username: 'somebody' },
    { publicKey: 'mine' },
    { isVerified: false },
    { FCMToken: Array.from({ length: 21 }, () => 'x') },
    { nonsense: 1 },
  ]) {
    expect(await owner.call('PATCH', path, { data })).toMatchObject(refusal(400, 'document_invalid_structure'));
  }
  const shared = { permissions: ['read("users")'] };
  expect(await owner.call('PATCH', path, shared)).toMatchObject(refusal(401, 'user_unauthorized'));
});

test('a caller who is not the owner can not change or delete it', async () => {
  const [owner, other] = [await addOwner(), await addOwner()];
  const person = await addPerson(cluster.url);
  const path = `${USERS}/${owner.account}`;
  const change = { data: { FCMToken: ['stolen'] } };
  for (const client of [other, person, new AppwriteClient(cluster.url)]) {
    expect(await client.call('PATCH', path, change)).toMatchObject(refusal(404, 'document_not_found'));
    expect(await client.call('PUT', path, change)).toMatchObject(refusal(401, 'user_unauthorized'));
    expect(await client.call('DELETE', path, {})).toMatchObject(refusal(404, 'document_not_found'));
  }
  expect(await cluster.call(getUser, owner)).toMatchObject({ body: { FCMToken: [] } });
});

test('deleting it closes the account, and needs a recent re-authentication', async () => {
  const owner = await addOwner();
  const path = `${USERS}/${owner.account}`;
  const options = { provider: 'google', factors: ['oauth2'], client: '' };
  const { secret } = await startAppwriteSession(cluster.ctx, owner.account, options);
  const elsewhere = new AppwriteClient(cluster.url, { 'x-appwrite-session': secret });
  expect(await elsewhere.call('DELETE', path, {})).toMatchObject(refusal(401, 'user_challenge_required'));
  ahead += HOUR;
  expect(await owner.call('DELETE', path, {})).toMatchObject(refusal(401, 'user_challenge_required'));
  expect(await owner.call('GET', path)).toMatchObject({ status: 200 });
  const fresh = await cluster.addDevice(owner);
  owner.headers['cookie'] = `${SESSION_COOKIE}=${fresh.token}`;
  expect(await owner.call('DELETE', path, {})).toMatchObject({ status: 204 });
  await expect.poll(async () => (await cluster.call(getUser, fresh)).status).toBe(401);
  expect(await elsewhere.call('GET', '/account')).toMatchObject({ status: 401 });
});

test('the creation time of an account does not change', async () => {
  const owner = await addOwner();
  const { body: document } = await owner.call('GET', `${USERS}/${owner.account}`);
  ahead += HOUR;
  const { body } = await owner.call('GET', '/account');
  expect(body).toMatchObject({
    $createdAt: document.$createdAt,
    $updatedAt: document.$updatedAt,
    registration: document.$createdAt,
    accessedAt: document.$createdAt,
  });
});

test('the default definition has private notes and a topic', async () => {
  const [owner, other] = [await addOwner(), await addOwner()];
  const notes = '/databases/main/collections/notes/documents';
  const data = { title: 'Shopping', text: 'milk', tags: ['home'] };
  const made = await owner.call('POST', notes, { documentId: 'unique()', data });
  expect(made).toMatchObject({ status: 201, body: data });
  expect(await owner.call('GET', notes)).toMatchObject({ body: { total: 1, documents: [data] } });
  expect(await other.call('GET', notes)).toMatchObject({ status: 200, body: { total: 0 } });
  expect(await other.call('DELETE', `${notes}/${made.body.$id}`, {})).toMatchObject({ status: 401 });
  // Notes need a verified address.
  const person = await addPerson(cluster.url);
  const refused = await person.call('POST', notes, { documentId: 'unique()', data });
  expect(refused).toMatchObject(refusal(401, 'user_unauthorized'));
  await person.call('POST', '/account/targets/push', { targetId: 'phone', identifier: 'token' });
  const wanted = { subscriberId: 'me', targetId: 'phone' };
  expect(await person.call('POST', '/messaging/topics/news/subscribers', wanted)).toMatchObject({ status: 201 });
});
