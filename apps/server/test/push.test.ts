import { randomBytes } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as contract from '@dostar/protocol/contract/push';
import { revokeSessions } from '@dostar/protocol/contract/sessions';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findTarget } from '../src/features/messaging/push/store.ts';
import { renewDevice } from '../src/features/identity/sessions/service.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { addPhone } from './push-person.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

let service: PushService;
let cluster: TestCluster;
const lines: string[] = [];
beforeAll(async () => {
  service = await startPushService(() => cluster.ctx.webPush!.publicKey);
  setDefaultCACertificates([...getCACertificates('default'), service.certificate]);
  const env = { PUSH_HOSTS: service.origin };
  const overrides = { log: createLog('info', { write: (line) => void lines.push(line) }) };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env, overrides });
});
afterAll(async () => {
  expect(service.complaints).toEqual([]);
  await cluster[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const tagKey = randomBytes(32).toString('base64url');

function targetOf({ account, device }: SignedIn) {
  return cluster.ctx.shards.of(account).query((db) => findTarget(db, account, device));
}

test('the log says at the start which kinds of push are on', () => {
  const start = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ msg }) => msg === 'listening');
  expect(start).toMatchObject({ push: 'web' });
});

test('a device that subscribes to our key gets a test that only it can read', async () => {
  const alice = await cluster.addAccount(0);
  const { body } = await cluster.call(contract.getPushKey, alice);
  expect(body).toEqual({ key: cluster.ctx.webPush!.publicKey });
  expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 404, body: { error: 'not_found' } });

  const { browser } = await addPhone(cluster, service, alice);
  expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 200, body: { success: true } });
  expect(browser.received).toHaveLength(1);
  const [{ text, ttl, urgency }] = browser.received as [(typeof browser.received)[0]];
  expect({ ttl, urgency }).toEqual({ ttl: 60, urgency: 'high' });
  expect(contract.PushPayload.parse(JSON.parse(text))).toMatchObject({ v: 1, kind: 'test', n: 0 });
});

test('N1: a device has one target, and another device has its own', async () => {
  const alice = await cluster.addAccount(1);
  const second = await cluster.addDevice(alice);
  const before = await addPhone(cluster, service, alice);
  const after = await addPhone(cluster, service, alice);
  const other = await addPhone(cluster, service, second);
  await cluster.call(contract.testPush, alice);
  expect([before, after, other].map(({ browser }) => browser.received.length)).toEqual([0, 1, 0]);
  expect(await cluster.call(contract.removePushTarget, alice)).toMatchObject({ status: 200 });
  expect(await targetOf(alice)).toBeUndefined();
  expect(await targetOf(second)).toBeDefined();
});

test('only known push services are ever called', async () => {
  const alice = await cluster.addAccount(0);
  const { keys, endpoint } = service.addBrowser().subscription;
  const port = new URL(service.origin).port;
  const strange = [
    'https://localhost/push',
    'https://127.0.0.1/push',
    `https://127.0.0.1:${Number(port) + 1}/push`,
    `https://user@127.0.0.1:${port}/push`,
    `https://127.0.0.1:${port}@example.org/push`,
    'https://169.254.169.254/latest/meta-data',
    `http://127.0.0.1:${port}/push`,
    'file:///etc/passwd',
  ];
  for (const address of strange) {
    const target = { endpoint: address, keys, tagKey, locale: 'en' } as const;
    expect(await cluster.call(contract.putPushTarget, alice, target), address).toMatchObject({ status: 400 });
  }
  // A point that is not on the curve would make every push fail.
  const off = { ...keys, p256dh: `B${'A'.repeat(86)}` };
  const target = { endpoint, keys: off, tagKey, locale: 'en' } as const;
  expect(await cluster.call(contract.putPushTarget, alice, target)).toMatchObject({ status: 400 });
  expect(await targetOf(alice)).toBeUndefined();
});

test.each([404, 410])('N1: a target that the push service does not know is deleted (%i)', async (status) => {
  const alice = await addPhone(cluster, service, await cluster.addAccount(0));
  alice.browser.answers = [{ status }];
  expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 404 });
  expect(await targetOf(alice)).toBeUndefined();
});

test('a push is never sent to where a push service redirects', async () => {
  const alice = await addPhone(cluster, service, await cluster.addAccount(0));
  const other = service.addBrowser();
  alice.browser.answers = [{ status: 307, headers: { location: other.subscription.endpoint } }];
  expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 503 });
  expect(other.received).toEqual([]);
  expect(await targetOf(alice)).toBeDefined();
});

test('errors of a push service delete no target', async () => {
  const alice = await addPhone(cluster, service, await cluster.addAccount(1));
  for (const status of [429, 500, 403]) {
    alice.browser.answers = [{ status }];
    expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 503 });
  }
  expect(await targetOf(alice)).toBeDefined();
});

test('N1: a target is deleted with its session, and with its device', async () => {
  const alice = await cluster.addAccount(0);
  const phone = await addPhone(cluster, service, await cluster.addDevice(alice));
  await cluster.call(revokeSessions, alice, { session: phone.session });
  expect(await targetOf(phone)).toBeUndefined();

  const laptop = await addPhone(cluster, service, await cluster.addDevice(alice));
  await renewDevice(cluster.ctx, laptop, laptop.device);
  expect(await targetOf(laptop)).toBeUndefined();
});

test('test pushes are rate-limited, since each causes a request', async () => {
  const alice = await cluster.addAccount(1);
  for (let n = 0; n < 10; n += 1) await cluster.call(contract.testPush, alice);
  expect(await cluster.call(contract.testPush, alice)).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
});
