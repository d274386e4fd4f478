/**
 * `/readyz`: when a load balancer moves users away, and what it says about the engines.
 *
 * @module-tag gate: Waits for the time limit of engines that hang: half a minute.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSession } from '@dostar/protocol/contract/sessions';
import { freePort, startNats } from '@dostar/tools/servers';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { startTcpRelay } from './tcp-relay.ts';
import type { TcpRelay } from './tcp-relay.ts';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
/** For tests in which an engine hangs. */
const SHORT_TIMEOUT = { DATABASE_TIMEOUT_MS: '3000' };
const ALL_UP = { directory: true, shard_0: true, shard_1: true, nats: true, blobs: true };
/** Shorter than the time limit of an engine. */
const AT_ONCE_MS = 1_000;

async function start(options: Partial<Parameters<typeof startTestCluster>[0]> = {}): Promise<TestCluster> {
  const env = { LOG_LEVEL: 'silent', ...options.env };
  const cluster = await startTestCluster({ ...engines, ...options, env });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  return cluster;
}

async function askReady(cluster: TestCluster) {
  const reply = await fetch(new URL('/readyz', cluster.url));
  const { ready, draining, engines: outcomes } = (await reply.json()) as Record<string, unknown>;
  return { status: reply.status, ready, draining, engines: outcomes };
}

async function readGauge(cluster: TestCluster, engine: string): Promise<number | undefined> {
  const { values } = await cluster.ctx.metrics.engineUp.get();
  return values.find(({ labels }) => labels.engine === engine)?.value;
}

function through(url: string, { port }: TcpRelay): string {
  return url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
}

/** Databases of one server, with a relay in front of the directory and of each shard. */
async function relayDatabases() {
  const name = nextName();
  const urls = await createDatabases(engines.postgresUrl, name, 'template');
  onTestFinished(() => dropDatabases(engines.postgresUrl, name));
  const relay = async (): Promise<TcpRelay> => {
    const made = await startTcpRelay(Number(new URL(engines.postgresUrl).port));
    onTestFinished(() => made[Symbol.asyncDispose]());
    return made;
  };
  const [directory, ...shards] = [await relay(), await relay(), await relay()];
  const shardUrls = urls.SHARD_URLS.split(',').map((url, id) => through(url, shards[id]!));
  return {
    directory,
    shards,
    env: { ...SHORT_TIMEOUT, DIRECTORY_URL: through(urls.DIRECTORY_URL, directory), SHARD_URLS: shardUrls.join(',') },
  };
}

test('readiness names every engine, and the metric counts it as up', async () => {
  const cluster = await start();
  expect(await askReady(cluster)).toEqual({ status: 200, ready: true, draining: false, engines: ALL_UP });
  expect(await readGauge(cluster, 'shard_1')).toBe(1);
});

test('readiness queries no engine, however many ask', async () => {
  // Other roles query the shard too.
  const cluster = await start({ env: { ROLES: 'site' } });
  const asked = vi.spyOn(cluster.ctx.shards.all()[0]!, 'query');
  const answers = await Promise.all(Array.from({ length: 100 }, () => askReady(cluster)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  // The periodic check may fall into this time.
  expect(asked.mock.calls.length).toBeLessThan(5);
});

test('a shard that hangs is named, and the process stays ready', async () => {
  const { env, shards } = await relayDatabases();
  const cluster = await start({ env });
  shards[1].hang();
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual({ ...ALL_UP, shard_1: false });
  expect(await askReady(cluster)).toMatchObject({ status: 200, ready: true });
  expect(await readGauge(cluster, 'shard_1')).toBe(0);
  shards[1].resume();
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual(ALL_UP);
  expect(await readGauge(cluster, 'shard_1')).toBe(1);
});

test('without any shard the process is not ready, and is again once one is back', async () => {
  const { env, shards } = await relayDatabases();
  const cluster = await start({ env });
  for (const shard of shards) shard.hang();
  await expect.poll(async () => (await askReady(cluster)).status).toBe(503);
  shards[0].resume();
  await expect.poll(async () => (await askReady(cluster)).status).toBe(200);
});

test('a directory that hangs makes the process not ready, and /readyz answers at once', async () => {
  const { env, directory } = await relayDatabases();
  const cluster = await start({ env });
  directory.hang();
  await expect
    .poll(async () => {
      const begun = performance.now();
      const { status } = await askReady(cluster);
      expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
      return status;
    })
    .toBe(503);
  expect((await askReady(cluster)).engines).toEqual({ ...ALL_UP, directory: false });
});

test('a process that only serves the site is ready without databases', async () => {
  const { env, directory, shards } = await relayDatabases();
  const cluster = await start({ env: { ...env, ROLES: 'site' } });
  for (const relay of [directory, ...shards]) relay.hang();
  const { blobs: _, ...used } = ALL_UP;
  const down = { ...used, directory: false, shard_0: false, shard_1: false };
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual(down);
  expect((await askReady(cluster)).status).toBe(200);
});

test('a store of files that never answers is named, is asked only once, and the process stays ready', async () => {
  const cluster = await start({ env: SHORT_TIMEOUT });
  const asked = vi.spyOn(cluster.ctx.blobs, 'check').mockReturnValue(new Promise(() => {}));
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual({ ...ALL_UP, blobs: false });
  expect(await askReady(cluster)).toMatchObject({ status: 200, ready: true });
  const noted = vi.spyOn(cluster.ctx.metrics.engineUp, 'set');
  const checksOf = (engine: string) =>
    (noted.mock.calls as unknown[][]).filter(([labels]) => (labels as { engine: string }).engine === engine);
  await expect.poll(() => checksOf('directory').length).toBe(3);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a folder of files that is gone is named', async () => {
  const cluster = await start();
  await rm(cluster.config.BLOBS_DIR, { recursive: true });
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual({ ...ALL_UP, blobs: false });
});

test('without NATS the process stays ready, and messages still arrive within seconds', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'readiness-nats-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const nats = await startNats({ dir, port: await freePort() });
  onTestFinished(() => nats[Symbol.asyncDispose]());
  // Without a worker, whose jobs need NATS.
  const cluster = await start({ natsUrl: nats.url, env: { ROLES: 'api,gateway' } });
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  await nats.stop();
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual({ ...ALL_UP, nats: false });
  expect((await askReady(cluster)).status).toBe(200);
  const sentAt = performance.now();
  expect((await cluster.send(alice, bob, 'without NATS')).status).toBe(200);
  await socket.until(() => socket.entries().length === 1, 'the message');
  expect(performance.now() - sentAt).toBeLessThan(10_000);
  // The cluster needs it again, to delete its streams.
  await nats.restart();
  await expect.poll(async () => (await askReady(cluster)).engines).toEqual(ALL_UP);
});

test('a draining process is not ready, still answers calls, and then ends', async () => {
  const cluster = await start({ env: { DRAIN_SECONDS: '2' } });
  const alice = await cluster.addAccount(0);
  const stopping = cluster.servers[0]![Symbol.asyncDispose]();
  expect(await askReady(cluster)).toEqual({ status: 503, ready: false, draining: true, engines: ALL_UP });
  expect(await cluster.call(getSession, alice)).toMatchObject({ status: 200 });
  await stopping;
  await expect(fetch(new URL('/readyz', cluster.url))).rejects.toThrow('fetch failed');
});
