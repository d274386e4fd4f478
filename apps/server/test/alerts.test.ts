/**
 * Every alert of deploy/monitoring fires when its fault happens: real faults, real pages of `/metrics`, real rules.
 *
 * @module-tag gate: Prometheus evaluates every alert: half a minute.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import * as opaque from '@serenity-kit/opaque';
import { BlobId, createBlob as startUpload } from '@dostar/protocol/contract/blobs';
import { getSession } from '@dostar/protocol/contract/sessions';
import { reportUndecryptable } from '@dostar/protocol/contract/monitoring';
import { freePort } from '@dostar/tools/servers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { createBlob } from '../src/features/messaging/attachments/service.ts';
import { notifyDue } from '../src/features/messaging/push/jobs.ts';
import { emailJobs } from '../src/features/operations/email/jobs.ts';
import { sendEmail } from '../src/features/operations/email/service.ts';
import { finishLogin, startLogin } from '../src/features/identity/passwords/service.ts';
import { mintToken } from '../src/features/identity/sessions/token.ts';
import * as monitoring from '../src/features/operations/monitoring/service.ts';
import { connectBus } from '../src/platform/bus/bus.ts';
import { Jobs } from '../src/platform/bus/jobs.ts';
import { createLog } from '../src/platform/observability/log.ts';
import type { ShardDb } from '../src/platform/postgres/pools.ts';
import { continueSeries, findPromtool, listFiring, readPage, RULES } from './alerting.ts';
import type { Page } from './alerting.ts';
import { openAuthority } from './authority.ts';
import { PausableBus } from './pausable-bus.ts';
import { addPhone } from './push-person.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { sampleEmails } from './sample-emails.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { accountOn, randomBody, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const run = promisify(execFile);
const UP = 'up{job="dostar",instance="one"}';
const ALERTS = [...(await readFile(RULES, 'utf8')).matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
const fired = new Set<string>();

let cluster: TestCluster;
let smtp: SmtpPeer;
let pushService: PushService;
let bus: PausableBus;

async function scrape(url = cluster.url): Promise<Page> {
  const answer = await fetch(new URL('/metrics', url), { headers: { authorization: 'Bearer metrics-token' } });
  return readPage(await answer.text());
}

/** Expects that the alert fires after `provoke`, and not before. */
async function expectFiring(alert: string, provoke: () => Promise<unknown>, url?: string): Promise<void> {
  const before = await scrape(url);
  await provoke();
  const after = await scrape(url);
  const up: [string, string] = [UP, '1x360'];
  expect(await listFiring([...continueSeries(before, before), up], [alert])).toEqual([]);
  expect(await listFiring([...continueSeries(before, after), up], [alert])).toEqual([alert]);
  fired.add(alert);
}

/** Number of transactions that wait for a row lock in this database. */
async function countWaiting(db: ShardDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}

async function countOf(series: string): Promise<number> {
  return (await scrape()).values.get(series) ?? 0;
}

function guess(account: Person['account']) {
  const { startLoginRequest: request } = opaque.client.startLogin({ password: 'guess' });
  return { email: 'somebody@example.org', account, request, address: '192.0.2.1' };
}

describe('alerts', () => {
  beforeAll(async () => {
    await opaque.ready;
    smtp = await startSmtpPeer(['defer', 'defer', 'defer', 'defer']);
    pushService = await startPushService(() => cluster.ctx.webPush!.publicKey);
    setDefaultCACertificates([...getCACertificates('default'), pushService.certificate]);
    bus = new PausableBus(await connectBus({ servers: [inject('natsUrl')] }, createLog('silent')));
    cluster = await startTestCluster({
      postgresUrl: inject('postgresUrl'),
      natsUrl: inject('natsUrl'),
      overrides: { bus },
      compareEveryMs: 400,
      // Without a worker, so that pending work stays pending.
      env: { SMTP_URL: smtp.url, PUSH_HOSTS: pushService.origin, LOG_LEVEL: 'silent', ROLES: 'api,gateway' },
    });
  });
  afterEach(() => vi.useRealTimers());
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await smtp[Symbol.asyncDispose]();
    await pushService[Symbol.asyncDispose]();
  });

  test('Prometheus accepts the rules', async () => {
    const { stdout } = await run(await findPromtool(), ['check', 'rules', RULES]);
    expect(stdout).toContain(`${ALERTS.length} rules found`);
  });

  test('no alert fires in normal operation', async () => {
    const before = await scrape();
    const [alice, bob] = await cluster.addFriends();
    for (let n = 0; n < 5; n += 1) await cluster.send(alice, bob, 'hello');
    // A measurement that times out on a busy machine is left out, as in a worker.
    await Promise.allSettled([
      monitoring.measureBacklogs(cluster.ctx),
      monitoring.measureJobs(cluster.ctx),
      monitoring.measureReplicas(cluster.ctx),
    ]);
    const series = continueSeries(before, await scrape());
    // Leaves out the speed of this machine and its free disk space.
    const ours = series.filter(([name]) => !/^dostar_(append_seconds|disk)/.test(name));
    expect(await listFiring([...ours, [UP, '1x360']], ALERTS)).toEqual([]);
  });

  test('EngineDown, HighErrorRate, InstanceDown: a shard is down, and then the process is', async () => {
    const shards = cluster.config.SHARD_URLS[0]!;
    const closed = `postgres://postgres@127.0.0.1:${await freePort()}/nothing`;
    const broken = await startTestCluster({
      postgresUrl: inject('postgresUrl'),
      natsUrl: inject('natsUrl'),
      env: { SHARD_URLS: `0=${shards.url},1=${closed}`, LOG_LEVEL: 'silent', ROLES: 'api' },
    });
    const account = accountOn(1);
    const stranded = { account, token: mintToken(account).token };
    await expectFiring(
      'HighErrorRate',
      async () => expect(await broken.call(getSession, stranded)).toMatchObject({ status: 503 }),
      broken.url,
    );
    const series = continueSeries(await scrape(broken.url), await scrape(broken.url));
    expect(await listFiring(series, ['EngineDown'])).toEqual(['EngineDown']);
    fired.add('EngineDown');
    await broken[Symbol.asyncDispose]();
    await expect(fetch(new URL('/metrics', broken.url))).rejects.toThrow('fetch failed');
    expect(await listFiring([[UP, '0x360']], ['InstanceDown'])).toEqual(['InstanceDown']);
    fired.add('InstanceDown');
  });

  test('HighSendLatency: a lock blocks the mailbox', async () => {
    const [alice, bob] = await cluster.addFriends();
    await expectFiring('HighSendLatency', async () => {
      const sent = await cluster.ctx.shards.of(bob.account).transact(async (db) => {
        await sql`select from mailbox where owner = ${bob.account} for update`.execute(db);
        const sending = { answer: cluster.send(alice, bob, 'slowly') };
        await expect.poll(() => countWaiting(db)).toBeGreaterThan(0);
        await sql`select pg_sleep(0.7)`.execute(db);
        return sending;
      });
      await sent.answer;
    });
  });

  test('PendingCopiesDelayed, PushDelayed: no worker makes the copies and sends pushes', async () => {
    const [alice, bob] = await cluster.addFriends();
    const { metrics } = cluster.ctx;
    const inTenMinutes = { ...cluster.ctx, clock: { now: () => Date.now() + 600_000 } };
    /** A measurement skips a shard that is known to be slow just now, so it may have to be repeated. */
    const measure = (of: string) =>
      expect
        .poll(async () => {
          await monitoring.measureBacklogs(inTenMinutes).catch(() => {});
          return countOf(`dostar_backlog_oldest_seconds{of="${of}",shard="1"}`);
        })
        .toBeGreaterThan(300);
    metrics.backlogAge.reset();
    await expectFiring('PushDelayed', async () => {
      await expect.poll(async () => (await cluster.send(alice, bob, 'a message')).status).toBe(200);
      await measure('push');
    });
    metrics.backlogAge.reset();
    await expectFiring('PendingCopiesDelayed', async () => {
      await cluster.ctx.shards
        .of(bob.account)
        .maintain((db) =>
          sql`insert into owed (owner, seq, target, since) values (${bob.account}, 99, ${alice.account}, ${Date.now()})`.execute(
            db,
          ),
        );
      await measure('pending_copies');
    });
  });

  test.each([403, 503])('PushFailing: the push service answers %i', async (status) => {
    const [alice, bob] = await cluster.addFriends();
    const phone = await addPhone(cluster, pushService, bob);
    const outcome = status === 403 ? 'refused' : 'later';
    phone.browser.answers = [{ status }];
    await expectFiring('PushFailing', async () => {
      await cluster.send(alice, bob, 'hello');
      const notifyAndCount = async () => {
        await notifyDue(cluster.ctx, 0);
        return countOf(`dostar_pushes_total{kind="message",outcome="${outcome}"}`);
      };
      await expect.poll(notifyAndCount).toBe(1);
    });
  });

  test('PushFailing ignores test pushes, expired subscriptions, and failures of less than a fifth', async () => {
    const counts = { sent: 8, refused: 1, later: 0, gone: 3 };
    const messages = Object.entries(counts).map(([outcome, count]): [string, string] => [
      `dostar_pushes_total{kind="message",outcome="${outcome}"}`,
      `0+${count}x360`,
    ]);
    const tests: [string, string] = ['dostar_pushes_total{kind="test",outcome="refused"}', '0+90x360'];
    expect(await listFiring([...messages, tests, [UP, '1x360']], ['PushFailing'])).toEqual([]);
  });

  test('UndecryptableMessages: browsers report messages that they cannot decrypt, once per check', async () => {
    const alice = await cluster.addAccount(0);
    await expectFiring('UndecryptableMessages', async () => {
      expect(await cluster.call(reportUndecryptable, alice, { count: 2 })).toMatchObject({ status: 200 });
    });
    expect(await cluster.call(reportUndecryptable, undefined, { count: 2 })).toMatchObject({ status: 401 });
    expect(await cluster.call(reportUndecryptable, alice, { count: 101 })).toMatchObject({ status: 400 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => cluster.call(reportUndecryptable, alice, { count: 1 })),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  const idle = { name: 'idle', payload: z.object({}) };

  test('JobBacklog: no worker takes the jobs', async () => {
    await expectFiring('JobBacklog', async () => {
      const { jobs } = cluster.ctx;
      const all = Array.from({ length: 1_001 }, (_, n) => jobs.publish(idle, {}, { id: String(n) }));
      await Promise.all(all);
      await monitoring.measureJobs(cluster.ctx);
    });
  });

  test('JobsDeadLettered: a job fails as often as it may', async () => {
    const { ctx, config } = cluster;
    const { sealer, metrics, log } = ctx;
    const nats = { servers: config.NATS_URLS };
    const options = { nats, prefix: config.JOBS_PREFIX, replicas: 1, sealer, metrics, log };
    await using jobs = new Jobs({ ...options, retryAfterMs: [] });
    const doomed = { name: 'doomed', payload: z.object({}) };
    await expectFiring('JobsDeadLettered', async () => {
      await jobs.publish(doomed, {}, { id: 'doomed' });
      const fails = { run: () => Promise.reject(new Error('as it always does')) };
      await using _worker = jobs.work(doomed, fails);
      await expect.poll(() => countOf('dostar_dead_letter_jobs_total{kind="doomed",reason="exhausted"}')).toBe(1);
    });
  });

  test('EmailDeliveryFailing: the mail server defers everything', async () => {
    const [email] = sampleEmails('en');
    await expectFiring('EmailDeliveryFailing', async () => {
      await sendEmail(cluster.ctx, { ...email!, id: 'put off' });
      await using _worker = emailJobs(cluster.ctx);
      await expect.poll(() => countOf('dostar_emails_total{template="code",outcome="failed"}')).toBeGreaterThan(0);
    });
  });

  test('NotificationsLost: NATS loses hints', async () => {
    const [alice, bob] = await cluster.addFriends();
    const friends = await Promise.all(Array.from({ length: 4 }, () => cluster.addAccount(1)));
    for (const friend of friends) await cluster.befriend(alice, friend);
    const sockets = await Promise.all([bob, ...friends].map((person) => cluster.resume(person)));
    await expectFiring('NotificationsLost', async () => {
      bus.isSendPaused = true;
      for (const friend of [bob, ...friends]) await cluster.send(alice, friend, 'unheard');
      bus.isSendPaused = false;
      for (const socket of sockets) await socket.until(() => socket.entries().length === 1, 'the unheard');
    });
    for (const socket of sockets) socket[Symbol.dispose]();
  });

  test('SlowConsumers: a client stops reading', async () => {
    const [alice, bob] = await cluster.addFriends();
    using socket = await cluster.resume(bob);
    const body = randomBody(48 * 1024);
    await expectFiring('SlowConsumers', async () => {
      socket.ws.pause();
      // More than the connection and the buffer can hold.
      for (let n = 0; n < 20; n += 1) {
        await Promise.all(Array.from({ length: 10 }, () => cluster.send(alice, bob, body)));
      }
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25_000 });
      const endings = 'dostar_socket_closes_total{reason="slow"}';
      await vi.waitFor(async () => expect(await countOf(endings)).toBe(1), { timeout: 60_000 });
    });
  });

  test('PasswordGuessing: an attacker tries many', async () => {
    const { account } = await cluster.addAccount(0);
    await expectFiring('PasswordGuessing', async () => {
      const { ctx } = cluster;
      const { login } = await startLogin({ ...ctx, policy: { ...ctx.policy, hidesAccounts: true } }, guess(account));
      for (let n = 0; n < 20; n += 1) {
        await expect(finishLogin(ctx, login, Buffer.alloc(64, n).toString('base64url'))).rejects.toThrow(
          'wrong_password',
        );
      }
    });
  });

  test('DiskFull: the disk of files is nearly full', async () => {
    // The free space is simulated, since a test cannot fill the disk.
    const full = { ...cluster.ctx, blobs: { ...cluster.ctx.blobs, freeRatio: async () => 0.04 } };
    await expectFiring('DiskFull', () => monitoring.measureDisk(full));
  });

  test('StorageLimitNear: files take nine tenths of the limit of all accounts', async () => {
    const { account } = await cluster.addAccount(0);
    await createBlob(cluster.ctx, account, BlobId.parse(randomUUID()), 1_000);
    const near = (blobQuotaTotalBytes: number) => ({
      ...cluster.ctx,
      policy: { ...cluster.ctx.policy, blobQuotaTotalBytes },
    });
    await monitoring.measureStorage(near(2_000));
    await expectFiring('StorageLimitNear', () => monitoring.measureStorage(near(1_100)));
  });

  test('an upload that is refused because storage is full is no error of the server', async () => {
    const alice = await cluster.addAccount(0);
    const begin = () => cluster.call(startUpload, alice, { id: BlobId.parse(randomUUID()), size: 2 * 1024 ** 3 });
    const before = await scrape();
    for (const status of [200, 200, 507]) expect(await begin()).toMatchObject({ status });
    const up: [string, string] = [UP, '1x360'];
    expect(await listFiring([...continueSeries(before, await scrape()), up], ['HighErrorRate'])).toEqual([]);
  });

  test('CertificateExpiring: the proxy has one that is about to expire', async () => {
    await using authority = await openAuthority();
    const server = createServer(await authority.sign('localhost', 5)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    await expectFiring('CertificateExpiring', () =>
      monitoring.measureCertificates({ ...cluster.ctx, origins: [origin] }),
    );
    server.close();
  });

  test('ReplicationLag, WalArchivingStalled: by simulated metrics, without a replica or an archive', async () => {
    const { replicationLag, archiveStuck } = cluster.ctx.metrics;
    await expectFiring('ReplicationLag', async () => replicationLag.set({ database: 'shard_1' }, 45));
    await expectFiring('WalArchivingStalled', async () => archiveStuck.set({ database: 'shard_1' }, 900));
  });

  test('the tests cover every alert', () => {
    expect(ALERTS.filter((alert) => !fired.has(alert))).toEqual([]);
  });
});
