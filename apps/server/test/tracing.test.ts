import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sendCode } from '@dostar/protocol/contract/accounts';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { getSession } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isTracing } from '../src/platform/observability/tracing.ts';
import { newEmail, TestBrowser } from './browser.ts';
import { startCollector } from './collector.ts';
import type { Collector, ReceivedSpan } from './collector.ts';
import { addPhone } from './push-person.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const SOURCES = join(import.meta.dirname, '../src');
/** All names of spans. */
const NAMES =
  'append, append batch, database, http, job, job publish, nats consume, nats publish, push, shard, task'.split(', ');
/** Short fixed texts, which cannot contain an id, an address, a token or a text. */
const HARMLESS = /^[a-z/][a-z\d_ ,:/.-]{0,80}$|^(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS)$|^[A-Z][A-Za-z]{2,40}$/;

let collector: Collector;
let service: PushService;
let smtp: SmtpPeer;
let cluster: TestCluster;
beforeAll(async () => {
  collector = await startCollector();
  smtp = await startSmtpPeer();
  service = await startPushService(() => cluster.ctx.webPush!.publicKey);
  setDefaultCACertificates([...getCACertificates('default'), service.certificate]);
  const env = {
    OTLP_TRACES_URL: collector.url,
    TRACES_SAMPLE_RATIO: '1',
    PUSH_HOSTS: service.origin,
    SMTP_URL: smtp.url,
  };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  expect(isTracing()).toBe(false);
  await service[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

function noteOf(span: ReceivedSpan | undefined, key: string): string | number | undefined {
  const value = span?.attributes.find((one) => one.key === `dostar.${key}`)?.value;
  return value?.stringValue ?? value?.intValue;
}

test('a sign-up, a message and its push are traced through every part, without personal data', async () => {
  const [email, text] = [newEmail(), 'dinner at eight, Dana'];
  const browser = new TestBrowser(cluster.url, smtp);
  const made = await browser.signUp(email);
  expect(made.status).toBe(200);
  await browser.signIn(email, 'a wrong one');

  const [alice, bob] = await cluster.addFriends();
  const laptop = await cluster.addDevice(bob);
  const phone = await addPhone(cluster, service, bob);
  using socket = await cluster.connect(laptop);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  const id = newMessageId();
  expect((await cluster.send(alice, bob, text, id)).status).toBe(200);
  await expect.poll(() => phone.browser.received.length).toBeGreaterThan(0);

  const named = (): string[] => [...new Set(collector.spans().map(({ name }) => name))].toSorted();
  await expect.poll(named).toEqual(NAMES);

  const secrets = [alice, bob, laptop].flatMap(({ account, device, session, token }) => [
    account,
    device,
    session,
    token,
  ]);
  const chat = directChat(alice.account, bob.account);
  const sealed = Buffer.from(text).toString('base64url');
  const { endpoint, keys } = phone.browser.subscription;
  const names = [email, email.split('@')[0]!, text, sealed, id, chat, endpoint, keys.p256dh, keys.auth, phone.tagKey];
  const cookies = [...browser.cookies.values()];
  const all = collector.texts.join('\n');
  for (const secret of [...secrets, ...names, ...cookies, String(made.body.userId)])
    expect(all.includes(secret), secret).toBe(false);
  const values = collector.spans().flatMap(({ attributes }) => attributes.map(({ value }) => value.stringValue));
  expect(values.filter((value) => value !== undefined && !HARMLESS.test(value))).toEqual([]);
  expect(all).not.toMatch(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i);
});

test('work that a call causes elsewhere is part of its trace', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  const before = new Set(collector.spans().map(({ traceId }) => traceId));
  await expect.poll(() => socket.all('resumed').length).toBe(1);
  await cluster.send(alice, bob, 'one');
  const browser = new TestBrowser(cluster.url, smtp);
  await browser.beginSignUp(newEmail());

  const findCall = (route: string): ReceivedSpan | undefined =>
    collector
      .spans()
      .find((span) => !before.has(span.traceId) && span.name === 'http' && noteOf(span, 'route') === route);
  const partsOf = (route: string): string[] => {
    const call = findCall(route);
    return [
      ...new Set(
        collector
          .spans()
          .filter((span) => span.traceId === call?.traceId)
          .map(({ name }) => name),
      ),
    ];
  };
  await expect
    .poll(() => partsOf(sendMessage.path))
    .toEqual(expect.arrayContaining(['http', 'append', 'append batch', 'nats publish', 'nats consume']));
  await expect
    .poll(() => partsOf(sendCode.path))
    .toEqual(expect.arrayContaining(['http', 'database', 'job publish', 'job']));
  expect(noteOf(findCall(sendMessage.path), 'status')).toBe(200);
});

test('a refusal is traced only with its code', async () => {
  await cluster.call(getSession, undefined);
  await expect.poll(() => collector.spans().map((span) => noteOf(span, 'error'))).toContain('unauthenticated');
});

test('without tracing none of its modules is loaded', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = new Map(files.map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]));
  const importing = (what: RegExp): string[] => [...texts].filter(([, text]) => what.test(text)).map(([name]) => name);
  expect(importing(/@opentelemetry\//)).toEqual(['platform/observability/trace-exporter.ts']);
  expect(importing(/trace-exporter\.ts'/)).toEqual(['server.ts']);
  expect(texts.get('server.ts')).toMatch(/await import\('\.\/platform\/observability\/trace-exporter\.ts'\)/);
  expect(texts.get('server.ts')).not.toMatch(/from '\.\/platform\/observability\/trace-exporter\.ts'/);
});
