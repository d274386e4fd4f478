/** Every response has the headers that keep browsers from misusing it, also errors and refusals. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AppwriteHttp } from '../src/appwrite/http.ts';
import { mountApi } from '../src/roles/api.ts';
import { mountAppwriteRoutes } from '../src/roles/appwrite.ts';
import { buildSite } from './build-site.ts';
import { callNobody, openIdleHttp } from './idle-http.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const METRICS_TOKEN = 'metrics-token';
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' };

let root: string;
let cluster: TestCluster;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dostar-protection-'));
  await buildSite(root);
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env: { WEB_ROOT: root, ORIGIN: 'https://family.example', METRICS_TOKEN },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
}

function ask(path: string, { method = 'GET', headers = {} }: Sent = {}): Promise<[number, IncomingHttpHeaders]> {
  const { hostname, port } = new URL(cluster.url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers }, (reply) => {
      reply.resume();
      resolve([reply.statusCode ?? 0, reply.headers]);
    });
    asking.on('error', reject);
    asking.end();
  });
}

/** Names of required headers that a response lacks. */
function missingOf(headers: IncomingHttpHeaders): string[] {
  const rules: [string, RegExp][] = [
    ['strict-transport-security', /^max-age=\d{8,}; includeSubDomains$/],
    ['x-content-type-options', /^nosniff$/],
    ['content-security-policy', /frame-ancestors 'none'/],
    ['referrer-policy', /^(no-referrer|same-origin)$/],
    ['cross-origin-resource-policy', /^(same|cross)-origin$/],
  ];
  return rules.filter(([name, rule]) => !rule.test(String(headers[name]))).map(([name]) => name);
}

async function listRoutes(): Promise<{ method: string; path: string }[]> {
  const found: { method: string; path: string }[] = [];
  const http = openIdleHttp(cluster.ctx);
  http.app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) found.push({ method: each, path: url });
  });
  mountApi(http, cluster.ctx);
  await http.close();
  const other = openIdleHttp(cluster.ctx);
  const { limits, log } = cluster.ctx;
  const service = new AppwriteHttp(other.app, { project: '', origins: [], limits, log, identify: callNobody });
  mountAppwriteRoutes(service, cluster.ctx);
  await other.close();
  return [...found, ...service.routes.map(({ method, path }) => ({ method, path: `/v1${path}` }))];
}

test('every route of both APIs has them, also for refusals', async () => {
  const routes = await listRoutes();
  expect(routes.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  for (const { method, path } of routes) {
    const [, headers] = await ask(path.replaceAll(/:\w+/g, 'x'), { method, headers: { [CALL_HEADER]: '1' } });
    const missing = missingOf(headers);
    if (missing.length > 0) wrong.push(`${method} ${path}: ${missing.join(', ')}`);
  }
  expect(wrong).toEqual([]);
});

test.for([
  ['/', 200],
  ['/about/', 308],
  ['/no-such-page', 404],
  ['/assets/x.js', 200],
  ['/robots.txt', 200],
  ['/version.json', 200],
  ['/api/no-such-call', 404],
  ['/v1/no-such-call', 404],
  ['/v1/ping', 404],
  ['/%', 400],
  ['/%00', 400],
  ['/healthz', 200],
  ['/readyz', 200],
  ['/metrics', 404],
] as const)('%s answers %i with them', async ([path, status]) => {
  const [answered, headers] = await ask(path);
  expect([answered, missingOf(headers)]).toEqual([status, []]);
});

test('the metrics have them', async () => {
  const [status, headers] = await ask('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect([status, missingOf(headers)]).toEqual([200, []]);
});

test.for([
  ['/realtime', 403],
  ['/no-such-socket', 404],
  ['/v1/realtime', 400],
] as const)('a refused socket at %s has them', async ([path, status]) => {
  const [answered, headers] = await ask(path, { headers: UPGRADE });
  expect([answered, missingOf(headers)]).toEqual([status, []]);
});

test('bytes that are no request are answered with them, and the connection ends', async () => {
  const { hostname, port } = new URL(cluster.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write('this is not HTTP\r\n\r\n');
  await once(socket, 'close');
  const [line, ...rest] = text.split('\r\n');
  const headers = Object.fromEntries(rest.filter(Boolean).map((each) => each.split(': ', 2)));
  expect([line, missingOf(headers)]).toEqual(['HTTP/1.1 400 Refused', []]);
});
