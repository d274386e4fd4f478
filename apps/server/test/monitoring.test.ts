import { readFile } from 'node:fs/promises';
import { createServer } from 'node:tls';
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as monitoring from '../src/features/operations/monitoring/service.ts';
import { readCertificateEnd } from '../src/platform/security/certificates.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const run = promisify(execFile);
let now = 1_800_000_000_000;
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock: { now: () => now } },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function readMetric(line: string): Promise<number | undefined> {
  const text = await cluster.ctx.metrics.registry.metrics();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

test('the age of a pending copy is measured until it is made', async () => {
  const alice = await cluster.addAccount(1);
  const shard = cluster.ctx.shards.of(alice.account);
  await shard.query((db) =>
    sql`insert into owed (owner, seq, target, since) values (${alice.account}, 1, gen_random_uuid(), ${now - 30_000})`.execute(
      db,
    ),
  );
  await monitoring.measureBacklogs(cluster.ctx);
  expect(await readMetric('dostar_backlog{of="pending_copies",shard="1"}')).toBe(1);
  expect(await readMetric('dostar_backlog_oldest_seconds{of="pending_copies",shard="1"}')).toBe(30);
  expect(await readMetric('dostar_backlog{of="pending_copies",shard="0"}')).toBe(0);
  now += 5_000;
  await shard.query((db) => sql`delete from owed where owner = ${alice.account}`.execute(db));
  await monitoring.measureBacklogs(cluster.ctx);
  expect(await readMetric('dostar_backlog{of="pending_copies",shard="1"}')).toBe(0);
  expect(await readMetric('dostar_backlog_oldest_seconds{of="pending_copies",shard="1"}')).toBe(0);
});

test('databases without a replica report no lag', async () => {
  await monitoring.measureReplicas(cluster.ctx);
  for (const database of ['directory', 'shard_0', 'shard_1']) {
    expect(await readMetric(`dostar_replication_lag_seconds{database="${database}"}`)).toBe(0);
  }
});

test('a database without archiving does not count as stalled', async () => {
  await monitoring.measureArchives(cluster.ctx);
  for (const database of ['directory', 'shard_0', 'shard_1']) {
    expect(await readMetric(`dostar_wal_archive_lag_seconds{database="${database}"}`)).toBe(0);
  }
});

test('waiting jobs and the free share of the disk are measured', async () => {
  await cluster.ctx.blobs.prepare();
  await monitoring.measureJobs(cluster.ctx);
  await monitoring.measureDisk(cluster.ctx);
  expect(await readMetric('dostar_queued_jobs{state="dead"}')).toBe(0);
  expect(await readMetric('dostar_queued_jobs{state="waiting"}')).toBeGreaterThanOrEqual(0);
  const free = await readMetric('dostar_disk_free_ratio{of="files"}');
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(1);
});

test('the expiry of a certificate is read whether it is trusted or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '30', '-nodes'];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', keyFile, '-out', certFile, ...subject]);
  const server = createServer({ key: await readFile(keyFile), cert: await readFile(certFile) }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const days = ((await readCertificateEnd('localhost', port)) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  server.close();
});

test('every metric in an alert exists', async () => {
  const rules = await readFile(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');
  const exposed = await cluster.ctx.metrics.registry.metrics();
  const named = new Set(rules.match(/dostar_[a-z_]+/g));
  expect(named.size).toBeGreaterThan(8);
  for (const name of named) {
    expect(exposed, name).toContain(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `);
  }
});

test('every metric on the dashboard exists, and the dashboard shows all our metrics', async () => {
  const text = await readFile(new URL('../../../deploy/monitoring/dashboard.json', import.meta.url), 'utf8');
  const { panels } = JSON.parse(text) as { panels: { title: string; targets?: { expr: string }[] }[] };
  const exposed = await cluster.ctx.metrics.registry.metrics();
  const shown = new Set<string>();
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const names = expr.match(/\b(?:dostar|process|nodejs)_\w+/g) ?? [];
      expect(names.length, title).toBeGreaterThan(0);
      for (const name of names.map((each) => each.replace(/_(bucket|count|sum)$/, ''))) {
        expect(exposed, title).toContain(`# TYPE ${name} `);
        shown.add(name);
      }
    }
  }
  const ours = [...exposed.matchAll(/^# TYPE (dostar_\w+) /gm)].map(([, name]) => name!);
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

test('every alert leads to a page that says what to do', async () => {
  const rules = await readFile(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  const pages = [...rules.matchAll(/runbook: docs\/operate\/runbooks\.md#([\w-]+)/g)].map(([, anchor]) => anchor!);
  const book = await readFile(new URL('../../../docs/operate/runbooks.md', import.meta.url), 'utf8');
  const headings = [...book.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'));
  expect(pages).toHaveLength(alerts.length);
  expect(pages).toEqual(alerts.map((name) => name.toLowerCase()));
  for (const page of pages) expect(headings).toContain(page);
});
