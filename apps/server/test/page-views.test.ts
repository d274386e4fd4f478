/** Page views are counted by day and kind, without any data about visitors. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { flushViews, deleteOldViews, kindOf, listViews } from '../src/features/operations/page-views/service.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { buildSite } from './build-site.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const DAY_MS = 24 * 3_600_000;
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let root: string;
let cluster: TestCluster;
let now = Date.parse('2026-03-01T10:00:00Z');
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dostar-views-'));
  await buildSite(root);
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { WEB_ROOT: root }, overrides: { clock: { now: () => now } } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Requests a page with a browser's headers, which `fetch` would not send. Returns the `Set-Cookie` headers. */
function open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const sent = { 'user-agent': BROWSER, 'sec-fetch-mode': 'navigate', ...headers };
    const asking = request(cluster.url + path, { method, headers: sent }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.headers['set-cookie'] ?? []));
    });
    asking.on('error', reject);
    asking.end();
  });
}

test('counts pages that people open, but no crawlers, files, missing pages or prefetches', async () => {
  const pages = ['/', '/kz', '/about', '/kz/about', '/contacts/somebody'];
  for (const path of pages) expect(await open(path)).toEqual([]);
  await open('/', { 'user-agent': CRAWLER });
  await open('/', { 'sec-fetch-mode': 'cors' });
  await open('/', {}, 'HEAD');
  for (const path of ['/nothing-here', '/assets/x.js', '/robots.txt', '/api/stats']) await open(path);
  await flushViews(cluster.ctx);
  now += DAY_MS;
  await open('/');
  await flushViews(cluster.ctx);
  expect(await listViews(cluster.ctx, 2)).toEqual([
    { day: '2026-03-02', kind: 'landing', views: 1 },
    { day: '2026-03-01', kind: 'about', views: 2 },
    { day: '2026-03-01', kind: 'app', views: 1 },
    { day: '2026-03-01', kind: 'landing', views: 2 },
  ]);
  expect(await listViews(cluster.ctx, 1)).toHaveLength(1);
});

test('the operator sees them by command and as a metric', async () => {
  const { out } = await runAdminCommand(cluster.ctx, ['visits', '2']);
  expect(out?.split('\n').map((line) => line.split(/\s+/))).toEqual([
    ['day', 'landing', 'about', 'documentation', 'checks', 'entry', 'app'],
    ['2026-03-02', '1', '0', '0', '0', '0', '0'],
    ['2026-03-01', '2', '2', '0', '0', '0', '1'],
  ]);
  const metrics = await fetch(`${cluster.url}/metrics`, { headers: { authorization: 'Bearer metrics-token' } });
  expect(await metrics.text()).toContain('dostar_page_views_total{kind="landing"} 3');
});

test('counts are deleted after 400 days', async () => {
  now += 399 * DAY_MS;
  await deleteOldViews(cluster.ctx);
  expect(await listViews(cluster.ctx, 1_000)).toHaveLength(4);
  now += 2 * DAY_MS;
  await deleteOldViews(cluster.ctx);
  expect(await listViews(cluster.ctx, 1_000)).toEqual([]);
});

test.each([
  ['/', 'landing'],
  ['/privacy', 'about'],
  ['/components/custom-input', 'documentation'],
  ['/test3', 'checks'],
  ['/sign-up', 'entry'],
  ['/contacts/somebody', 'app'],
  ['/settings/privacy', 'app'],
] as const)('%s is of the kind %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
