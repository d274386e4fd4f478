/** A server that accepts load balancers on other machines, and connects to NATS there, only with TLS. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { freePort, startNats } from '@dostar/tools/servers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createConsoleLink } from '../src/features/operations/console-sessions/service.ts';
import { connectNats } from '../src/platform/bus/nats.ts';
import { openAuthority } from './authority.ts';
import type { Authority, Certificate } from './authority.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const trusted = getCACertificates('default');
const stack = new AsyncDisposableStack();
let authority: Authority;
let certificate: Certificate;
let folder: string;
let cluster: TestCluster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  authority = stack.use(await openAuthority());
  setDefaultCACertificates([...trusted, authority.root]);
  stack.defer(() => setDefaultCACertificates(trusted));
  certificate = await authority.sign('localhost', 30);
  const env = { HOST: 'localhost', TLS_CERT: certificate.cert, TLS_KEY: certificate.key };
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = stack.use(await startTestCluster({ ...engines, env }));
});
afterAll(() => stack.disposeAsync());

test('calls and sockets come by TLS', async () => {
  expect(cluster.url).toMatch(/^https:/);
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  await cluster.send(alice, bob, 'hello');
  await socket.until(() => socket.entries().length === 1, 'the message');
});

test("the operator's console comes by TLS, with a cookie for TLS only", async () => {
  const url = cluster.servers[0]!.console!.url.replace('127.0.0.1', 'localhost');
  const code = await createConsoleLink(cluster.ctx, 'tester');
  const body = new URLSearchParams({ code });
  const open = (origin: string) =>
    fetch(`${url}/console/open`, { method: 'POST', redirect: 'manual', headers: { origin }, body });
  expect((await open(url.replace('https:', 'http:'))).status).toBe(403);
  const opened = await open(url);
  expect(opened.status).toBe(303);
  expect(opened.headers.get('set-cookie')).toMatch(/; Path=\/console; Secure; HttpOnly; SameSite=Strict;/);
});

test('a call without TLS, or by one who does not trust the certificate, fails', async () => {
  await expect(fetch(`${cluster.url.replace('https:', 'http:')}/healthz`)).rejects.toThrow('fetch failed');
  setDefaultCACertificates(trusted);
  const untrusting = fetch(`${cluster.url.replace('localhost', '127.0.0.1')}/healthz`);
  await expect(untrusting).rejects.toThrow('fetch failed');
  setDefaultCACertificates([...trusted, authority.root]);
});

test('half of a certificate, and a remote address without TLS, stop the start', async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const start = (env: Record<string, string>) => startTestCluster({ ...engines, env });
  await expect(start({ TLS_CERT: certificate.cert })).rejects.toThrow('TLS_CERT and TLS_KEY need each other');
  await expect(start({ NATS_URLS: 'nats.example' })).rejects.toThrow('NATS_URLS (nats.example)');
});

test('NATS by tls:// is reached by TLS or not at all', async () => {
  const files = { cert: join(folder, 'nats.pem'), key: join(folder, 'nats.key') };
  await writeFile(files.cert, certificate.cert);
  await writeFile(files.key, certificate.key);
  const port = await freePort();
  await using _nats = await startNats({ dir: join(folder, 'nats'), port, tls: files });
  const connection = await connectNats({ servers: [`tls://localhost:${port}`] }, 'test', false);
  expect(connection.info?.tls_required).toBe(true);
  await connection.close();
  const plain = new URL(inject('natsUrl')).port;
  await expect(connectNats({ servers: [`tls://localhost:${plain}`] }, 'test', false)).rejects.toThrow();
});
