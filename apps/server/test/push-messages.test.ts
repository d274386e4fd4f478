import { randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { changeContact } from '@dostar/protocol/contract/contacts';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { PushPayload } from '@dostar/protocol/contract/push';
import { markRead } from '@dostar/protocol/contract/read-receipts';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claimDue } from '../src/features/messaging/push/due-store.ts';
import { notifyDue } from '../src/features/messaging/push/jobs.ts';
import { tagOf } from '../src/features/messaging/push/payload.ts';
import { findTarget } from '../src/features/messaging/push/store.ts';
import { addPhone } from './push-person.ts';
import type { Phone } from './push-person.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let service: PushService;
let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };
beforeAll(async () => {
  service = await startPushService(() => cluster.ctx.webPush!.publicKey);
  setDefaultCACertificates([...getCACertificates('default'), service.certificate]);
  // Without a worker: the tests run its jobs.
  const env = { PUSH_HOSTS: service.origin, ROLES: 'api,gateway' };
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock } });
});
afterAll(async () => {
  expect(service.complaints).toEqual([]);
  await cluster[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function meet(): Promise<{ alice: SignedIn; bob: Phone }> {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  return { alice, bob: await addPhone(cluster, service, bob) };
}

/** The payloads for a device, as its service worker reads them. */
function toldTo({ browser }: Phone): PushPayload[] {
  return browser.received.map(({ text }) => PushPayload.parse(JSON.parse(text)));
}

function tell(): Promise<number> {
  return notifyDue(cluster.ctx, 0);
}

async function targetOf({ account, device }: SignedIn) {
  return cluster.ctx.shards.of(account).query((db) => findTarget(db, account, device));
}

async function countDue({ account }: Person): Promise<number> {
  const rows = await cluster.ctx.shards
    .of(account)
    .query((db) => db.selectFrom('push_due').select('owner').where('owner', '=', account).execute());
  return rows.length;
}

test('N2, N3: a push names only the chat and the number of unread messages', async () => {
  const { alice, bob } = await meet();
  await cluster.send(alice, bob, 'dinner at eight');
  await cluster.send(alice, bob, 'and bring Dana');
  await tell();
  const chat = directChat(alice.account, bob.account);
  expect(toldTo(bob)).toEqual([{ v: 1, kind: 'message', id: tagOf(bob.tagKey, chat), n: 2, at: 2 }]);
  const [{ text, topic, ttl, urgency }] = bob.browser.received as [(typeof bob.browser.received)[0]];
  expect({ ttl, urgency }).toEqual({ ttl: 172_800, urgency: 'high' });
  for (const secret of [alice.account, bob.account, bob.device, chat, 'dinner', tagOf(bob.tagKey, chat)]) {
    expect(topic).not.toContain(secret);
    if (secret !== tagOf(bob.tagKey, chat)) expect(text).not.toContain(secret);
  }
  await tell();
  expect(bob.browser.received).toHaveLength(1);
  expect(await countDue(bob)).toBe(0);

  await cluster.send(alice, bob, 'nine');
  await tell();
  expect(toldTo(bob).at(-1)).toMatchObject({ n: 3, at: 3 });
  expect(bob.browser.received[1]!.topic).toBe(topic);
  expect(new Set(bob.browser.received.map(({ bytes }) => bytes)).size).toBe(1);
});

test('N2: messages without a notification, of muted senders, or already read cause no push', async () => {
  const { alice, bob } = await meet();
  const quiet = { id: newMessageId(), to: bob.account, body: 'eHg', rings: false };
  await cluster.call(sendMessage, alice, quiet);
  await tell();
  expect(toldTo(bob)).toEqual([]);

  await cluster.send(alice, bob, 'read at once');
  await cluster.call(markRead, bob, { peer: alice.account, upTo: 2 });
  await tell();
  expect(toldTo(bob)).toEqual([]);

  const mute = (until: number) =>
    cluster.call(changeContact, bob, { act: randomUUID(), peer: alice.account, changes: { mutedUntil: until } });
  await mute(clock.now() + 3_600_000);
  await cluster.send(alice, bob, 'into the pillow');
  await tell();
  expect(toldTo(bob)).toEqual([]);
  await mute(0);
  await cluster.send(alice, bob, 'aloud');
  await tell();
  expect(toldTo(bob)).toMatchObject([{ n: 2, at: 4 }]);
});

test('N2: messages in an archived chat cause no push until it is unarchived', async () => {
  const { alice, bob } = await meet();
  const archive = (archived: boolean) =>
    cluster.call(changeContact, bob, { act: randomUUID(), peer: alice.account, changes: { archived } });
  expect(await archive(true)).toMatchObject({ status: 200 });
  await cluster.send(alice, bob, 'archived');
  await tell();
  expect(toldTo(bob)).toEqual([]);
  expect(await countDue(bob)).toBe(0);
  await archive(false);
  await cluster.send(alice, bob, 'back');
  await tell();
  expect(toldTo(bob)).toMatchObject([{ n: 2, at: 2 }]);
});

test('N2, N5: of two devices only the one without focus gets a push', async () => {
  const { alice, bob: phone } = await meet();
  const laptop = await addPhone(cluster, service, await cluster.addDevice(phone));
  using socket = await cluster.connect(laptop);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  socket.say({ t: 'focus', isFocused: true });
  socket.say({ t: 'ping', n: 1 });
  await socket.until(() => socket.all('pong').length === 1, 'the answer, and so the focus');
  await cluster.send(alice, phone, 'where are you');
  await tell();
  expect([toldTo(phone).length, toldTo(laptop).length]).toEqual([1, 0]);

  // The first message was visible there, so losing the focus sends no push for it; a later message does.
  socket.say({ t: 'focus', isFocused: false });
  socket.say({ t: 'ping', n: 2 });
  await socket.until(() => socket.all('pong').length === 2, 'the answer');
  await cluster.send(alice, phone, 'hello?');
  await tell();
  expect([toldTo(phone).length, toldTo(laptop)]).toMatchObject([2, [{ at: 2 }]]);

  socket.say({ t: 'focus', isFocused: true });
  socket.say({ t: 'ping', n: 3 });
  await socket.until(() => socket.all('pong').length === 3, 'the answer');
  skippedMs += 76_000;
  await cluster.send(alice, phone, 'asleep?');
  await tell();
  expect([toldTo(phone).length, toldTo(laptop).length]).toEqual([3, 2]);
});

test('N1: a device gets no more pushes once its push service does not know it', async () => {
  const { alice, bob } = await meet();
  const tablet = await addPhone(cluster, service, await cluster.addDevice(bob));
  bob.browser.answers = [{ status: 410 }];
  await cluster.send(alice, bob, 'hello');
  await tell();
  expect(await targetOf(bob)).toBeUndefined();
  expect(toldTo(tablet)).toHaveLength(1);
  expect(await countDue(bob)).toBe(0);
});

test('a push service’s Retry-After is respected, and others still get pushes', async () => {
  const { alice, bob } = await meet();
  const tablet = await addPhone(cluster, service, await cluster.addDevice(bob));
  bob.browser.answers = [{ status: 429, headers: { 'retry-after': '120' } }, { status: 503 }];
  await cluster.send(alice, bob, 'one');
  await tell();
  expect([toldTo(bob).length, toldTo(tablet).length]).toEqual([0, 1]);
  skippedMs += 60_000;
  await cluster.send(alice, bob, 'two');
  await tell();
  expect([toldTo(bob).length, toldTo(tablet).length]).toEqual([0, 2]);
  expect(bob.browser.answers).toHaveLength(1);

  skippedMs += 61_000;
  await tell();
  expect(bob.browser.answers).toHaveLength(0);
  expect(toldTo(bob)).toEqual([]);
  skippedMs += 61_000;
  await tell();
  expect([toldTo(bob), toldTo(tablet).length]).toMatchObject([[{ n: 2, at: 2 }], 2]);
  expect(await targetOf(bob)).toMatchObject({ failures: 0, retry_at: 0 });
});

test('a target that is refused repeatedly is deleted', async () => {
  const { alice, bob } = await meet();
  bob.browser.answers = Array.from({ length: 5 }, () => ({ status: 403 }));
  await cluster.send(alice, bob, 'hello');
  for (let n = 0; n < 5; n += 1) {
    expect(await targetOf(bob)).toBeDefined();
    await tell();
    skippedMs += 20 * 60_000;
  }
  expect(await targetOf(bob)).toBeUndefined();
});

test('postponed pushes do not count as refusals of a target, and do not reset their count', async () => {
  const { alice, bob } = await meet();
  const statuses = [503, 503, 503, 503, 403, 403, 403, 403, 503, 403];
  bob.browser.answers = statuses.map((status) => ({ status }));
  await cluster.send(alice, bob, 'hello');
  for (const _ of statuses) {
    expect(await targetOf(bob)).toBeDefined();
    await tell();
    skippedMs += 70 * 60_000;
  }
  expect(bob.browser.answers).toEqual([]);
  expect(await targetOf(bob)).toBeUndefined();
});

test('a successful push resets the count of refusals, also before a refusal in the same run', async () => {
  const { alice, bob } = await meet();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(carol, bob);
  bob.browser.answers = [403, 403, 403, 403, 201, 403].map((status) => ({ status }));
  await cluster.send(alice, bob, 'one');
  await cluster.send(carol, bob, 'two');
  for (let n = 0; n < 5; n += 1) {
    await tell();
    skippedMs += 20 * 60_000;
  }
  expect(toldTo(bob)).toHaveLength(1);
  expect(bob.browser.answers).toEqual([]);
  expect(await targetOf(bob)).toMatchObject({ failures: 1, refusals: 1 });
});

test('N4: pushes of a crashed worker are sent by another one, once', async () => {
  const { alice, bob } = await meet();
  await cluster.send(alice, bob, 'hello');
  const now = clock.now();
  const page = { before: now, reclaimAt: now + 30_000, limit: 100 };
  const { owners } = await cluster.ctx.shards.of(bob.account).query((db) => claimDue(db, page));
  expect(owners).toContain(bob.account);
  await tell();
  expect(toldTo(bob)).toEqual([]);
  skippedMs += 31_000;
  await Promise.all([tell(), tell(), tell()]);
  expect(toldTo(bob)).toHaveLength(1);
});

test('a message that arrives during a push is in the next one', async () => {
  const { alice, bob } = await meet();
  await cluster.send(alice, bob, 'one');
  const telling = tell();
  await cluster.send(alice, bob, 'two');
  await telling;
  await tell();
  await expect.poll(async () => (await tell(), await countDue(bob))).toBe(0);
  expect(toldTo(bob).at(-1)).toMatchObject({ n: 2, at: 2 });
});

test('a new target gets no push for earlier messages', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  await cluster.send(alice, bob, 'old');
  const phone = await addPhone(cluster, service, bob);
  await tell();
  expect(toldTo(phone)).toEqual([]);
  expect(await countDue(bob)).toBe(0);
});
