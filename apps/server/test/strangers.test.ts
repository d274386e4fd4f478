/** Hostile callers of `/v1`: odd values, invalid sessions, foreign origins, floods of pings. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AccountId } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { takeLines } from './server-log.ts';
import { addPerson, AppwriteClient } from './appwrite-people.ts';
import { accountOn, ORIGIN, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const DOCUMENTS = '/databases/main/collections/messages/documents';

let cluster: TestCluster;
beforeAll(async () => {
  // Without a worker, whose queries would be counted too.
  const env = { ROLES: 'api,gateway' };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(() => cluster[Symbol.asyncDispose]());

const ask = (client: AppwriteClient, path: string, ...queries: object[]) =>
  client.call(
    'GET',
    `${path}?${queries.map((query, n) => `queries[${n}]=${encodeURIComponent(JSON.stringify(query))}`).join('&')}`,
  );

const equal = (attribute: string, ...values: unknown[]) => ({ method: 'equal', attribute, values });

test('a value that the database refuses is a bad request, not a server error, and is not logged', async () => {
  const person = await addPerson(cluster.url);
  takeLines();
  for (const query of [
    equal('$createdAt', '12'),
    equal('$createdAt', 'Tuesday'),
    equal('$createdAt', '+275760-09-13T00:00:00Z'),
    equal('$createdAt', '-271821-04-20T00:00:00Z'),
    equal('$createdAt', '0000-01-01'),
    equal('$id', 'a\u0000b'),
    equal('$id', '\ud800'),
    equal('$sequence', 1e308),
    { method: 'cursorAfter', values: ['a\u0000'] },
    { method: 'offset', values: [2 ** 53 - 1] },
    { method: 'search', attribute: '$id', values: [`${'('.repeat(900)}:*&|!`] },
  ]) {
    const { status } = await ask(person, DOCUMENTS, query);
    expect([JSON.stringify(query), status < 500]).toEqual([JSON.stringify(query), true]);
  }
  for (const path of ['/account/sessions/a%01b', '/storage/buckets/pictures/files?search=%ED%A0%80'])
    expect([path, (await person.call('GET', path)).status < 500]).toEqual([path, true]);
  expect(takeLines()).toEqual([]);
});

test('a time may have any format that `Date.parse` reads', async () => {
  const person = await addPerson(cluster.url);
  for (const value of [
    '2020-01-01',
    '2020-01-01T10:00:00.000+00:00',
    '2020-01-01T10:00:00+0500',
    'Wed, 01 Jan 2020 00:00:00 GMT',
  ]) {
    const query = { method: 'greaterThan', attribute: '$createdAt', values: [value] };
    expect([value, (await ask(person, DOCUMENTS, query)).status]).toEqual([value, 200]);
  }
});

const preflight = async (origin: string) => {
  const reply = await fetch(`${cluster.url}/v1/account`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'DELETE' },
  });
  return [reply.status, reply.headers.get('access-control-allow-origin')];
};

test('a page of another port or scheme may not call with credentials', async () => {
  expect(await preflight(ORIGIN)).toEqual([204, ORIGIN]);
  for (const origin of [
    'http://localhost:9999',
    'https://localhost:5173',
    'https://localhost:1',
    'http://evil.example',
    'null',
  ])
    expect([origin, ...(await preflight(origin))]).toEqual([origin, 403, null]);
});

test('every JSON response, including errors, forbids sniffing, framing and embedding', async () => {
  const project = { 'x-appwrite-project': 'dostar' };
  for (const [path, headers] of [
    ['/v1/ping', project],
    ['/v1/nothing', project],
    ['/v1/account', project],
    ['/api/auth/google', { [CALL_HEADER]: '1' }],
    ['/api/session', { [CALL_HEADER]: '1' }],
    ['/api/nothing', {}],
    ['/healthz', {}],
    ['/%zz', {}],
  ] as const) {
    const reply = await fetch(cluster.url + path, { headers });
    expect([path, Object.fromEntries(reply.headers)]).toMatchObject([
      path,
      {
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': expect.stringContaining('no-store') as string,
      },
    ]);
  }
});

/** Sends pings and never reads a pong. Returns true if the server ended the socket. */
async function floodWithPings(path: string, headers: Record<string, string>): Promise<boolean> {
  const { hostname, port } = new URL(cluster.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({
    host: hostname,
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  // The socket is never read again. The frames are masked with zeros.
  socket.pause();
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
  const many = Buffer.concat(Array.from({ length: 8_000 }, () => ping));
  const closed = once(socket, 'close').catch(() => {});
  socket.on('error', () => {});
  for (let n = 0; n < 100 && !socket.destroyed; n += 1)
    if (!socket.write(many)) await Promise.race([once(socket, 'drain'), closed]).catch(() => {});
  const isEnded = socket.destroyed;
  socket.destroy();
  return isEnded;
}

test('the server ends a socket whose client sends pings and reads no pongs', async () => {
  expect(await floodWithPings('/v1/realtime?project=dostar', {})).toBe(true);
  const { token } = await cluster.addAccount();
  expect(await floodWithPings('/realtime', { origin: ORIGIN, cookie: `${SESSION_COOKIE}=${token}` })).toBe(true);
});

const networks = (count: number, step: number) =>
  Array.from({ length: count }, (_, n) => `2001:db8:1:${(0x100 + n * step).toString(16)}::`);

test.each(['shared', 'process'] as const)('the IPv6 networks of one customer share a limit (%s)', async (scope) => {
  const limit = { name: `test-${scope}`, points: 2, perSeconds: 3_600, scope };
  const isRefused = (visitor: string) =>
    cluster.ctx.limits.charge(limit, visitor).then(
      () => false,
      () => true,
    );
  const countTaken = async (visitors: string[]) => {
    let taken = 0;
    for (const visitor of visitors) if (!(await isRefused(visitor))) taken += 1;
    return taken;
  };
  expect(await countTaken(Array<string>(5).fill('2001:db8:1:100::'))).toBe(2);
  // A /56 may make four times as many calls, a /48 sixteen times.
  expect(await countTaken(networks(20, 1))).toBe(6);
  expect(await countTaken(networks(60, 0x100))).toBe(24);
  expect(await countTaken(['2001:db8:2:1::', '203.0.113.7'])).toBe(2);
  // A refund counts for all networks.
  if (scope === 'process') return;
  const others = Array.from({ length: 8 }, (_, n) => `2001:db8:3:${n}::`);
  expect(await countTaken(others)).toBe(8);
  await cluster.ctx.limits.refund(limit, '2001:db8:3:7::');
  expect(await countTaken(['2001:db8:3:a::', '2001:db8:3:b::'])).toBe(1);
});

/** An invalid session secret that names an account of the shard, as a valid one does. */
const madeUp = (): string => {
  const account = accountOn(0);
  return Buffer.concat([Buffer.from(AccountId.parse(account).replaceAll('-', ''), 'hex'), randomBytes(32)]).toString(
    'base64url',
  );
};

test('invalid sessions cost a bounded number of queries, and an ended one that is sent again costs one', async () => {
  const shard = cluster.ctx.shards.all().find(({ id }) => id === 0)!;
  const client = new AppwriteClient(cluster.url);
  const query = vi.spyOn(shard, 'query');
  const call = async (session: string) =>
    (await client.call('GET', '/account', undefined, { 'x-appwrite-session': session })).status;
  const stale = madeUp();
  for (let n = 0; n < 5; n += 1) expect(await call(stale)).toBe(401);
  expect(query.mock.calls.length).toBe(1);
  const statuses = await Promise.all(Array.from({ length: 150 }, () => call(madeUp())));
  expect(query.mock.calls.length).toBeLessThanOrEqual(80);
  expect(statuses).toContain(429);
  query.mockRestore();
  const other = await addPerson(cluster.url);
  expect((await other.call('GET', '/account')).status).toBe(200);
});
