import { randomBytes } from 'node:crypto';
import * as contract from '@dostar/protocol/contract/push';
import { directChat } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { notifyDue } from '../src/features/messaging/push/jobs.ts';
import { tagOf } from '../src/features/messaging/push/payload.ts';
import { findTarget } from '../src/features/messaging/push/store.ts';
import { startFcmService } from './fcm-service.ts';
import type { FcmService } from './fcm-service.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

const settings = {
  apiKey: 'key',
  authDomain: 'app.example',
  projectId: 'sample-messenger',
  storageBucket: 'bucket',
  messagingSenderId: '1',
  appId: '1:1:web:1',
  measurementId: 'G-1',
};

let fcm: FcmService;
let cluster: TestCluster;
beforeAll(async () => {
  fcm = await startFcmService();
  const env = {
    FCM_URL: fcm.url,
    FCM_CREDENTIALS: fcm.credentials,
    FIREBASE_WEB_CONFIG: JSON.stringify(settings),
    // Without a worker: the tests run its jobs.
    ROLES: 'api,gateway',
  };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(async () => {
  expect(fcm.complaints).toEqual([]);
  await cluster[Symbol.asyncDispose]();
  await fcm[Symbol.asyncDispose]();
});

async function addPhone() {
  const person = await cluster.addAccount();
  const tagKey = randomBytes(32).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  const answer = await cluster.call(contract.putPushToken, person, { token, tagKey, locale: 'ru' });
  expect(answer).toMatchObject({ status: 200 });
  return { ...person, tagKey, fcmToken: token };
}

function targetOf({ account, device }: SignedIn) {
  return cluster.ctx.shards.of(account).query((db) => findTarget(db, account, device));
}

test('the project settings for browsers are public', async () => {
  expect(await cluster.call(contract.getFirebaseSettings, undefined)).toEqual({ status: 200, body: { settings } });
});

test('a device with a Firebase token gets its pushes there, and Firebase learns nothing', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await addPhone()];
  await cluster.befriend(alice, bob);
  await cluster.send(alice, bob, 'dinner at eight');
  await notifyDue(cluster.ctx, 0);
  const chat = directChat(alice.account, bob.account);
  const message = fcm.received.find(({ token }) => token === bob.fcmToken);
  const payload = { v: 1, kind: 'message', id: tagOf(bob.tagKey, chat), n: 0, at: 1 };
  expect(contract.PushPayload.parse(JSON.parse(message!.data['push']!))).toEqual(payload);
  expect(message!.headers).toMatchObject({ TTL: '172800', Urgency: 'high' });
  for (const secret of [alice.account, bob.account, chat, 'dinner']) {
    expect(JSON.stringify(message)).not.toContain(secret);
  }
  await cluster.call(contract.testPush, bob);
  expect(fcm.received.filter(({ token }) => token === bob.fcmToken)).toHaveLength(2);
  // A token lasts an hour, so the server does not request one per message.
  expect(fcm.exchanges).toBe(1);
});

test('an unknown Firebase token is deleted, and kept if Firebase is busy', async () => {
  const [alice, bob] = [await cluster.addAccount(1), await addPhone()];
  await cluster.befriend(alice, bob);
  fcm.refusals = [{ status: 503, headers: { 'retry-after': '120' } }];
  await cluster.send(alice, bob, 'hello');
  await notifyDue(cluster.ctx, 0);
  const waiting = await targetOf(bob);
  expect(waiting!.retry_at).toBeGreaterThan(cluster.ctx.clock.now() + 60_000);
  fcm.refusals = [{ status: 404 }];
  expect(await cluster.call(contract.testPush, bob)).toMatchObject({ status: 404 });
  expect(await targetOf(bob)).toBeUndefined();
});
