import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startNats } from '@dostar/tools/servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { Jobs, PermanentFailure } from '../src/platform/bus/jobs.ts';
import type { JobKind } from '../src/platform/bus/jobs.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { createMetrics } from '../src/platform/observability/metrics.ts';
import { createSealer } from '../src/platform/security/sealed-values.ts';
import { nextName } from './databases.ts';
import { readStream } from './read-stream.ts';
import { dropJobs } from './streams.ts';

const PATIENTLY = { timeout: 60_000, interval: 20 };
const natsUrl = inject('natsUrl');
const prefix = nextName();
afterAll(() => dropJobs(natsUrl, prefix));

const key = createSecretKey(randomBytes(32));
const greet: JobKind<{ name: string }> = { name: 'greet', payload: z.object({ name: z.string() }) };

interface OpenOptions {
  prefix: string;
  url?: string;
  retryAfterMs?: number[];
  ackWaitMs?: number;
  keys?: (typeof key)[];
}

function openJobs({ url = natsUrl, keys = [key], retryAfterMs = [40, 80], ...rest }: OpenOptions) {
  const metrics = createMetrics();
  const sealer = createSealer(keys);
  const jobs = new Jobs({
    nats: { servers: [url] },
    replicas: 1,
    sealer,
    metrics,
    log: createLog('silent'),
    ackWaitMs: 2_000,
    retryAfterMs,
    ...rest,
  });
  const deaths = async (): Promise<unknown> => (await metrics.deadJobs.get()).values.map(({ labels }) => labels);
  return { jobs, deaths, [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose]() };
}

test('a failed job is retried with growing delays until it succeeds', async () => {
  await using opened = openJobs({ prefix: `${prefix}_1`, retryAfterMs: [100, 300] });
  const at: number[] = [];
  await using _work = opened.jobs.work(greet, {
    async run() {
      at.push(performance.now());
      if (at.length < 3) throw new Error('not yet');
    },
  });
  await opened.jobs.publish(greet, { name: 'Alice' }, { id: 'a' });
  await vi.waitFor(() => expect(at).toHaveLength(3), PATIENTLY);
  expect(at[1]! - at[0]!).toBeGreaterThan(90);
  expect(at[2]! - at[1]!).toBeGreaterThan(290);
  expect(await opened.deaths()).toEqual([]);
});

test('a job that always fails ends among the failed jobs, still encrypted, and its owner is notified', async () => {
  await using opened = openJobs({ prefix: `${prefix}_2` });
  const dead: string[] = [];
  let runs = 0;
  await using _work = opened.jobs.work(greet, {
    async run() {
      runs += 1;
      throw new Error('never');
    },
    onDead: ({ name }) => dead.push(name),
  });
  await opened.jobs.publish(greet, { name: 'Alice' }, { id: 'a' });
  await vi.waitFor(() => expect(dead).toEqual(['Alice']), PATIENTLY);
  expect(runs).toBe(3);
  expect(await opened.deaths()).toEqual([{ kind: 'greet', reason: 'exhausted' }]);
  const [kept] = await readStream(natsUrl, `${prefix}_2_dead`);
  expect(kept?.body).toMatch(/^[\w-]{60,}$/);
  expect(kept?.headers).toContain('Dostar-Reason: exhausted');
  expect(await readStream(natsUrl, `${prefix}_2`)).toEqual([]);
});

test('a permanent failure is not retried', async () => {
  await using opened = openJobs({ prefix: `${prefix}_3` });
  let runs = 0;
  await using _work = opened.jobs.work(greet, {
    async run() {
      runs += 1;
      throw new PermanentFailure('no');
    },
  });
  await opened.jobs.publish(greet, { name: 'Alice' }, { id: 'a' });
  await vi.waitFor(
    async () => expect(await opened.deaths()).toEqual([{ kind: 'greet', reason: 'refused' }]),
    PATIENTLY,
  );
  expect(runs).toBe(1);
});

test('a job from a stranger, or moved from another kind, is never run', async () => {
  const ours = { prefix: `${prefix}_4`, retryAfterMs: [20] };
  await using stranger = openJobs({ ...ours, keys: [createSecretKey(randomBytes(32))] });
  await using opened = openJobs(ours);
  await stranger.jobs.publish(greet, { name: 'Mallory' }, { id: 'a' });
  const other: JobKind<{ name: string }> = { ...greet, name: 'other' };
  await opened.jobs.publish(other, { name: 'Alice' }, { id: 'a' });
  await moveMessage(ours.prefix, 'other', 'greet');
  let runs = 0;
  await using _work = opened.jobs.work(greet, {
    async run() {
      runs += 1;
    },
  });
  await vi.waitFor(async () => expect(await readStream(natsUrl, `${ours.prefix}_dead`)).toHaveLength(2), PATIENTLY);
  expect(runs).toBe(0);
  expect(await opened.deaths()).toEqual([{ kind: 'greet', reason: 'unreadable' }]);
});

test('two workers share the jobs, and one that stops finishes its current jobs', async () => {
  const options = { prefix: `${prefix}_5` };
  await using one = openJobs(options);
  await using two = openJobs(options);
  const done: string[] = [];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const stopping = one.jobs.work(greet, {
    async run({ payload }) {
      begun.resolve();
      await goOn.promise;
      done.push(payload.name);
    },
  });
  await one.jobs.publish(greet, { name: 'first' }, { id: '1' });
  await begun.promise;
  const stopped = stopping[Symbol.asyncDispose]();
  await using _work = two.jobs.work(greet, {
    async run({ payload }) {
      done.push(payload.name);
    },
  });
  const names = Array.from({ length: 20 }, (_, n) => `job ${n}`);
  await Promise.all(names.map((name) => two.jobs.publish(greet, { name }, { id: name })));
  await vi.waitFor(() => expect(done).toHaveLength(20), PATIENTLY);
  expect(done.toSorted()).toEqual(names.toSorted());
  goOn.resolve();
  await stopped;
  expect(done.at(-1)).toBe('first');
  expect(await readStream(natsUrl, options.prefix)).toEqual([]);
});

test('a slow job is not given to another worker while its worker lives', async () => {
  await using opened = openJobs({ prefix: `${prefix}_6`, ackWaitMs: 600 });
  let runs = 0;
  let isDone = false;
  await using _work = opened.jobs.work(greet, {
    async run() {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      isDone = true;
    },
  });
  await opened.jobs.publish(greet, { name: 'slow' }, { id: 'slow' });
  await vi.waitFor(() => expect(isDone).toBe(true), PATIENTLY);
  expect(runs).toBe(1);
});

test('an accepted job survives kill -9 of NATS; while NATS is down publishing fails', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'dostar-jobs-'));
  await using nats = await startNats({ dir, port: await freePort() });
  await using opened = openJobs({ prefix: 'jobs', url: nats.url });
  await opened.jobs.publish(greet, { name: 'kept' }, { id: 'kept' });
  nats.signal('SIGKILL');
  await expect(opened.jobs.publish(greet, { name: 'lost' }, { id: 'lost' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await nats.restart();
  const seen: string[] = [];
  await using _work = opened.jobs.work(greet, {
    async run({ payload }) {
      seen.push(payload.name);
    },
  });
  await vi.waitFor(() => expect(seen).toContain('kept'), PATIENTLY);
  // Publishing again is safe: the first attempt may or may not have arrived.
  await vi.waitFor(() => opened.jobs.publish(greet, { name: 'lost' }, { id: 'lost' }), PATIENTLY);
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(['kept', 'lost']), PATIENTLY);
  await rm(dir, { recursive: true, force: true });
});

test('deleted streams are created again', async () => {
  await using opened = openJobs({ prefix: `${prefix}_8` });
  const seen: string[] = [];
  await using _work = opened.jobs.work(greet, {
    async run({ payload }) {
      seen.push(payload.name);
    },
  });
  await opened.jobs.publish(greet, { name: 'before' }, { id: 'before' });
  await vi.waitFor(() => expect(seen).toEqual(['before']), PATIENTLY);
  await dropJobs(natsUrl, `${prefix}_8`);
  await vi.waitFor(() => opened.jobs.publish(greet, { name: 'after' }, { id: 'after' }), PATIENTLY);
  await vi.waitFor(() => expect(seen).toEqual(['before', 'after']), PATIENTLY);
});

/** Moves a message as an attacker with access to NATS could. */
async function moveMessage(stream: string, from: string, to: string): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  const message = await manager.streams.getMessage(stream, { last_by_subj: `${stream}.do.${from}` });
  const headers = message!.header;
  headers.set('Nats-Msg-Id', `${headers.get('Nats-Msg-Id')}x`);
  await connection.request(`${stream}.do.${to}`, message!.data, { headers, timeout: 20_000 });
  await connection.close();
}
