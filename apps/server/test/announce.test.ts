import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runAdminCommand } from './run-admin-command.ts';
import { startFcmService } from './fcm-service.ts';
import type { FcmService } from './fcm-service.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { addPerson, writeAppwriteFile } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const TEXT = 'The library is closed on Monday';

let fcm: FcmService;
let service: PushService;
let cluster: TestCluster;
beforeAll(async () => {
  fcm = await startFcmService();
  service = await startPushService(() => cluster.ctx.webPush!.publicKey);
  setDefaultCACertificates([...getCACertificates('default'), service.certificate]);
  const topics = [
    { id: 'news', subscribe: ['users'] },
    { id: 'other', subscribe: ['users'] },
  ];
  const file = await writeAppwriteFile({ topics });
  const firebase = { FCM_URL: fcm.url, FCM_CREDENTIALS: fcm.credentials };
  const env = { ...firebase, PUSH_HOSTS: service.origin, APPWRITE_CONFIG_FILE: file };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(async () => {
  expect([...service.complaints, ...fcm.complaints]).toEqual([]);
  await cluster[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await fcm[Symbol.asyncDispose]();
});

async function subscribe(topic: string, identifier: string) {
  const person = await addPerson(cluster.url);
  const target = { targetId: 'phone', identifier };
  expect(await person.call('POST', '/account/targets/push', target)).toMatchObject({ status: 201 });
  const wanted = { subscriberId: 'me', targetId: 'phone' };
  const answer = await person.call('POST', `/messaging/topics/${topic}/subscribers`, wanted);
  expect(answer).toMatchObject({ status: 201 });
  return person;
}

test('an announcement of the operator reaches all subscribers of the topic, and no one else', async () => {
  const browsers = Array.from({ length: 3 }, () => service.addBrowser());
  const [here, elsewhere, forgotten] = browsers as [(typeof browsers)[0], (typeof browsers)[0], (typeof browsers)[0]];
  forgotten.answers = [{ status: 410 }];
  await subscribe('news', JSON.stringify(here.subscription));
  await subscribe('other', JSON.stringify(elsewhere.subscription));
  const leaving = await subscribe('news', JSON.stringify(forgotten.subscription));
  await subscribe('news', 'token-of-firebase');
  const strange = await subscribe('news', JSON.stringify({ ...here.subscription, endpoint: 'https://127.0.0.1/' }));

  const keys = { ...here.subscription.keys, auth: 'c2hvcnQ' };
  const keyless = await subscribe('news', JSON.stringify({ ...here.subscription, keys }));

  const refused = await runAdminCommand(cluster.ctx, ['announce', 'weather', TEXT]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('no topic weather') as string });
  expect(await runAdminCommand(cluster.ctx, ['announce', 'news', ...TEXT.split(' ')])).toMatchObject({ code: 0 });
  await expect.poll(() => here.received.length).toBe(1);
  await expect.poll(() => fcm.received.length).toBe(1);
  expect(JSON.parse(here.received[0]!.text)).toMatchObject({
    kind: 'announcement',
    text: TEXT,
    notification: { body: TEXT },
  });
  expect(JSON.parse(fcm.received[0]!.data['push']!)).toMatchObject({ kind: 'announcement', text: TEXT });
  for (const person of [leaving, strange, keyless]) {
    const isExpired = async () => {
      const { body } = await person.call('GET', '/account');
      return body.targets.find((each: { $id: string }) => each.$id === 'phone').expired as boolean;
    };
    await expect.poll(isExpired).toBe(true);
  }
  expect(elsewhere.received).toEqual([]);
});

test('a push that is deferred is sent later, and all others once', async () => {
  const [busy, free] = [service.addBrowser(), service.addBrowser()];
  busy.answers = [{ status: 503 }];
  await subscribe('other', JSON.stringify(busy.subscription));
  await subscribe('other', JSON.stringify(free.subscription));
  await runAdminCommand(cluster.ctx, ['announce', 'other', TEXT]);
  await expect.poll(() => busy.received.length).toBe(1);
  await expect.poll(() => free.received.length).toBe(1);
});
