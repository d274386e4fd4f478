import { PROTOCOL_VERSION, VERSION_HEADER } from '@dostar/protocol/version';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { listChat, sendMessage } from '@dostar/protocol/contract/messages';
import { getSession } from '@dostar/protocol/contract/sessions';
import { sql } from 'kysely';
import { AccountId } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { createLog } from '../src/platform/observability/log.ts';
import { openIdleHttp } from './idle-http.ts';
import { callServer, newMessageId, ORIGIN, randomBody, startTestCluster, TestSocket } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('H1: without a session, or with a made-up one, nothing is answered', async () => {
  const alice = await cluster.addAccount();
  expect(await cluster.call(getSession, undefined)).toMatchObject({ status: 401, body: { error: 'unauthenticated' } });
  const forged = { account: alice.account, token: randomBody(48) };
  expect(await cluster.call(getSession, forged)).toMatchObject({ status: 401 });
  expect(await cluster.call(getSession, alice)).toMatchObject({ status: 200, body: { account: alice.account } });
});

test('H2: a call from a page of another site is refused even with the cookie', async () => {
  const alice = await cluster.addAccount();
  const call = (headers: Record<string, string>) => callServer(cluster.url, getSession, alice, undefined, headers);
  expect(await call({ origin: 'https://elsewhere.example' })).toMatchObject({ status: 403 });
  expect(await call({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await call({ origin: ORIGIN, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 });
  const bare = await fetch(new URL(getSession.path, cluster.url), {
    headers: { cookie: `__Host-session=${alice.token}` },
  });
  expect(bare.status).toBe(403);
});

test('H2: a call that names its account does not act for another one that signed in meanwhile', async () => {
  const [alice, bob] = [await cluster.addAccount(), await cluster.addAccount()];
  const call = (header: string) => callServer(cluster.url, getSession, bob, undefined, { [CALL_HEADER]: header });
  expect(await call(alice.account)).toMatchObject({ status: 403, body: { error: 'wrong_account' } });
  expect(await call('somebody')).toMatchObject({ status: 403, body: { error: 'wrong_account' } });
  expect(await call(bob.account)).toMatchObject({ status: 200 });
  expect(await call('1')).toMatchObject({ status: 200 });
});

test('V2: a call of an outdated program is told to reload, one of a newer program to retry', async () => {
  const alice = await cluster.addAccount();
  const call = (version: string) =>
    callServer(cluster.url, getSession, alice, undefined, { [VERSION_HEADER]: version });
  expect(await call('0')).toMatchObject({ status: 426, body: { error: 'outdated' } });
  expect(await call('none')).toMatchObject({ status: 426, body: { error: 'outdated' } });
  expect(await call('99')).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  expect(await call(String(PROTOCOL_VERSION))).toMatchObject({ status: 200 });
});

test('H5: an invalid body is refused with the path and without the value', async () => {
  const alice = await cluster.addAccount();
  const answer = await cluster.call(sendMessage, alice, {
    id: newMessageId(),
    to: AccountId.parse(alice.account),
    body: 'not base64!',
  });
  expect(answer).toEqual({
    status: 400,
    body: { success: false, error: 'invalid_request', details: { fields: ['body'] } },
  });
});

test('H5: an unknown path and an oversized body have codes', async () => {
  const alice = await cluster.addAccount();
  const unknown = await fetch(new URL('/api/nothing-here', cluster.url), { headers: { [CALL_HEADER]: '1' } });
  expect([unknown.status, await unknown.json()]).toEqual([404, { success: false, error: 'not_found' }]);
  const large = await cluster.call(sendMessage, alice, {
    id: newMessageId(),
    to: alice.account,
    body: randomBody(300_000),
  });
  expect(large).toMatchObject({ status: 413, body: { error: 'too_large' } });
});

test('a user who calls without pause is rate-limited, and others are not', async () => {
  const [alice, bob] = [await cluster.addAccount(), await cluster.addAccount()];
  const chat = newMessageId() as never;
  const answers = await Promise.all(Array.from({ length: 320 }, () => cluster.call(listChat, alice, { chat })));
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20);
  expect(await cluster.call(listChat, bob, { chat })).toMatchObject({ status: 200 });
});

test('guessing sessions is limited across processes, and a signed-in user nearby is not affected', async () => {
  await using guessed = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
  });
  const alice = await guessed.addAccount();
  const guess = (n: number) => {
    const forged = { account: alice.account, token: randomBody(48) };
    return callServer(guessed.servers[n % 2]!.url, getSession, forged);
  };
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(60);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40);
  expect(await guessed.call(getSession, alice)).toMatchObject({ status: 200 });
});

const forge = () => ({ account: newMessageId() as never, token: randomBody(48) });

test('guessing sessions over sockets behind the proxy blocks only the attacker', async () => {
  await using guessed = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  const guess = async (from: string): Promise<string> => {
    const opened = TestSocket.open(guessed.url, forge(), { 'x-forwarded-for': from });
    return opened.then(() => 'opened', String);
  };
  const answers = await Promise.all(Array.from({ length: 70 }, () => guess('203.0.113.1')));
  expect(answers.filter((answer) => answer.endsWith('refused: 429'))).toHaveLength(10);
  expect(await guess('203.0.113.2')).toContain('refused: 401');
});

test('an attacker with a whole IPv6 network counts as one visitor, over sockets and calls', async () => {
  await using guessed = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  const guessBySocket = (from: string): Promise<string> =>
    TestSocket.open(guessed.url, forge(), { 'x-forwarded-for': from }).then(() => 'opened', String);
  const guessByCall = (from: string) =>
    callServer(guessed.url, getSession, forge(), undefined, { 'x-forwarded-for': from });
  const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => guessBySocket(`2001:db8::${n}`)));
  expect(answers.filter((answer) => answer.endsWith('refused: 429'))).toHaveLength(10);
  expect(await guessByCall('2001:db8::cafe')).toMatchObject({ status: 429 });
  expect(await guessByCall('2001:db8:0:1::1')).toMatchObject({ status: 401 });
});

test('a connection stays open well beyond the advertised keep-alive time', async () => {
  const reply = await fetch(new URL('/health/live', cluster.url));
  expect(reply.headers.get('keep-alive')).toBe('timeout=60');
  const http = openIdleHttp(cluster.ctx);
  expect(http.app.server.keepAliveTimeoutBuffer).toBeGreaterThanOrEqual(10_000);
  await http.close();
});

test('metrics need the token', async () => {
  expect((await fetch(new URL('/healthz', cluster.url))).status).toBe(200);
  expect((await fetch(new URL('/metrics', cluster.url))).status).toBe(404);
  const metrics = await fetch(new URL('/metrics', cluster.url), { headers: { authorization: 'Bearer metrics-token' } });
  expect(await metrics.text()).toContain('dostar_append_duration_seconds');
});

test('B2: a stopping server notifies its sockets, finishes its calls and writes its acks', async () => {
  const stopping = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
  });
  const [alice, bob] = [await stopping.addAccount(0), await stopping.addAccount(1)];
  await stopping.befriend(alice, bob);
  const [, second] = stopping.servers;
  using socket = await stopping.connect(bob, second);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await stopping.send(alice, bob, 'one');
  await socket.until(() => socket.entries().length === 1, 'the message');
  socket.say({ t: 'ack', seq: 1 });
  socket.say({ t: 'ping', n: 1 });
  await socket.until(() => socket.all('pong').length === 1, 'the ack to be heard');
  const held = Promise.withResolvers<void>();
  const holding = stopping.ctx.shards.of(bob.account).transact(async (db) => {
    await sql`select from mailbox where owner = ${bob.account} for update`.execute(db);
    await held.promise;
  });
  const underWay = Array.from({ length: 20 }, () =>
    callServer(second!.url, sendMessage, alice, { id: newMessageId(), to: bob.account, body: randomBody(300) }),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));

  const stopped = second![Symbol.asyncDispose]();
  held.resolve();
  await Promise.all([stopped, holding]);

  const statuses = (await Promise.all(underWay)).map((answer) => answer.status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason: 'restart' }]);
  const mailbox = await stopping.ctx.shards
    .of(bob.account)
    .query((db) => db.selectFrom('mailbox').select('acked_seq').where('owner', '=', bob.account).executeTakeFirst());
  expect(mailbox?.acked_seq).toBe(1);
  stopping.servers.pop();
  await stopping[Symbol.asyncDispose]();
});

test('logs redact secrets that are logged by mistake', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  log.info({ body: 'secret words', token: 'abc', nested: { account: 'alice' }, headers: { cookie: 'c' } }, 'oops');
  expect(lines.join('')).not.toMatch(/secret|abc|alice|cookie/);
});
