/** The operator's console: who may use it, and that it is another face of the operator's commands. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@dostar/tools/servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { LINK_LIFETIME_MS, SESSION_IDLE_MS } from '../src/features/operations/console-sessions/service.ts';
import { listNewestAuditEntries } from '../src/features/operations/audit-log/service.ts';
import { startServer } from '../src/server.ts';
import { ConsoleBrowser, printCode } from './console-browser.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { takeLines } from './server-log.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const HOUR_MS = 3_600_000;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };
let cluster: TestCluster;
let url: string;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, overrides: { clock }, env: { LOG_LEVEL: 'debug' } });
  url = cluster.servers[0]!.console!.url;
});
afterAll(() => cluster[Symbol.asyncDispose]());

const newestEntries = async (count: number) =>
  (await listNewestAuditEntries(cluster.ctx, count)).map(({ operator, words, outcome }) => ({
    operator,
    words,
    outcome,
  }));

describe('who may use the console', () => {
  test('every route but the page of the link refuses callers without a session and with a wrong one', async () => {
    const { routes } = cluster.servers[0]!.console!;
    const open = routes.filter(({ auth }) => auth === 'link').map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual(['GET /', 'GET /console/open', 'POST /console/open']);
    const closed = routes.filter(({ auth }) => auth === 'session');
    expect(closed.length).toBeGreaterThan(2);
    for (const cookie of [undefined, `dostar-console=${'x'.repeat(43)}`, 'dostar-console=']) {
      const stranger = new ConsoleBrowser(url);
      for (const { method, path } of closed) {
        stranger.cookie = cookie;
        const { status, html } = method === 'GET' ? await stranger.get(path) : await stranger.post(path);
        expect([status, html.includes('Open the console with a link')], `${method} ${path}`).toEqual([401, true]);
      }
    }
  });

  test('a link opens one session, however often and fast it is used', async () => {
    const code = await printCode(cluster);
    const browsers = Array.from({ length: 4 }, () => new ConsoleBrowser(url));
    const opened = await Promise.all(browsers.map((browser) => browser.post('/console/open', { code })));
    expect(opened.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(browsers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  });

  test('fetching the page of the link uses nothing up', async () => {
    const code = await printCode(cluster);
    const browser = new ConsoleBrowser(url);
    expect(await browser.get('/console/open')).toMatchObject({ status: 200 });
    expect(await browser.post('/console/open', { code })).toMatchObject({ status: 303 });
    expect(await browser.get('/console')).toMatchObject({ status: 200 });
  });

  test('a link expires after ten minutes', async () => {
    const code = await printCode(cluster);
    skippedMs += LINK_LIFETIME_MS;
    const answer = await new ConsoleBrowser(url).post('/console/open', { code });
    expect([answer.status, answer.html.includes('older than 10 minutes')]).toEqual([401, true]);
  });

  test('a session ends after an hour without a call, and after eight hours in any case', async () => {
    const [idle, busy] = [await ConsoleBrowser.open(cluster), await ConsoleBrowser.open(cluster)];
    for (let hours = 0; hours < 7.5; hours += 0.5) {
      skippedMs += SESSION_IDLE_MS / 2;
      expect((await busy.get('/console')).status).toBe(200);
    }
    expect((await idle.get('/console')).status).toBe(401);
    skippedMs += HOUR_MS / 2;
    expect((await busy.get('/console')).status).toBe(401);
  });

  test('signing out ends the session on the server, and the command ends all sessions and links', async () => {
    const [one, other] = [await ConsoleBrowser.open(cluster), await ConsoleBrowser.open(cluster)];
    const { cookie } = one;
    expect(await one.post('/console/sign-out')).toMatchObject({ status: 303 });
    one.cookie = cookie;
    expect((await one.get('/console')).status).toBe(401);
    const code = await printCode(cluster);
    expect(await runAdminCommand(cluster.ctx, ['console', 'end'])).toMatchObject({ code: 0 });
    expect((await other.get('/console')).status).toBe(401);
    expect((await one.post('/console/open', { code })).status).toBe(401);
  });

  test('a form of another page is refused, also of another port of this machine', async () => {
    const browser = await ConsoleBrowser.open(cluster);
    for (const origin of ['https://evil.example', 'http://127.0.0.1:5173', 'null'])
      expect((await browser.post('/console/sign-out', {}, { origin })).status, origin).toBe(403);
    expect((await browser.call('POST', '/console/sign-out')).status).toBe(403);
    expect((await browser.get('/console')).status).toBe(200);
  });

  test('a name that is not of this machine is refused', async () => {
    const { port } = new URL(url);
    expect(await askAs('localhost', port)).toBe(200);
    expect(await askAs('evil.example', port)).toBe(403);
  });
});

/** The status of the page of the link, asked for by that name. */
async function askAs(host: string, port: string): Promise<number> {
  const asked = request({ host: '127.0.0.1', port, path: '/console/open', headers: { host: `${host}:${port}` } }).end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  reply.resume();
  return reply.statusCode!;
}

describe('what the console gives away', () => {
  test('pages allow no frame, no foreign script and no cache, and the cookie is for this host and its forms only', async () => {
    const code = await printCode(cluster);
    const browser = new ConsoleBrowser(url);
    const opened = await browser.post('/console/open', { code });
    expect(opened.headers.get('set-cookie')).toMatch(
      /^dostar-console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    );
    for (const path of ['/console', '/console/open', '/console/nothing']) {
      const { headers } = await browser.get(path);
      expect(headers.get('content-security-policy'), path).toMatch(
        /^default-src 'none'; style-src 'sha256-\S+'(; script-src 'sha256-\S+')?; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('cache-control'), path).toBe('no-store');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('same-origin');
    }
    expect((await browser.get('/console')).headers.get('content-security-policy')).not.toContain('script-src');
    const { html, headers } = await browser.get('/console/open');
    const parts = [...html.matchAll(/<(?:style|script)>(.*?)<\/(?:style|script)>/gs)].map(([, part]) => part!);
    expect(parts).toHaveLength(2);
    for (const part of parts)
      expect(headers.get('content-security-policy')).toContain(createHash('sha256').update(part).digest('base64'));
  });

  test('the database and the log have no secret of a link or a session', async () => {
    takeLines();
    const code = await printCode(cluster);
    const browser = new ConsoleBrowser(url);
    await browser.post('/console/open', { code });
    await browser.get('/console');
    const [token] = /[\w-]{43}/.exec(browser.cookie!)!;
    const { rows } = await sql<{ row: string }>`select s::text as row from console_session s
      union all select l::text from console_link l union all select d::text from deed d`.execute(cluster.ctx.directory);
    for (const text of [...rows.map(({ row }) => row), ...takeLines()]) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(token);
    }
  });

  test('neither listener serves the pages of the other', async () => {
    const { url: publicUrl } = cluster;
    for (const { path } of cluster.servers[0]!.console!.routes.filter((route) => route.path !== '/'))
      expect((await fetch(new URL(path, publicUrl))).status, path).toBe(404);
    const browser = await ConsoleBrowser.open(cluster);
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/session', '/v1/ping'])
      expect((await browser.get(path)).status, path).toBe(404);
  });
});

test('too many codes in a minute are refused', async () => {
  await using server = await startServer({ ...cluster.config, PORT: 0 }, cluster.secrets, {
    overrides: { log: cluster.ctx.log },
  });
  const browser = new ConsoleBrowser(server.console!.url);
  const guess = async () => (await browser.post('/console/open', { code: 'x'.repeat(43) })).status;
  for (let guesses = 0; guesses < 20; guesses += 1) expect(await guess()).toBe(401);
  expect(await guess()).toBe(429);
  // Even with the right code.
  expect((await browser.post('/console/open', { code: await printCode(cluster) })).status).toBe(429);
});

describe('the console beside the server', () => {
  test('a server whose console has no port runs without it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    takeLines();
    await using server = await startServer({ ...cluster.config, PORT: 0, CONSOLE_PORT: port }, cluster.secrets, {
      overrides: { log: cluster.ctx.log },
    });
    expect(server.console).toBeUndefined();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(takeLines().join('')).toContain('no console: its port is taken');
    other.close();
  });

  test('the link names TLS, the port and this machine as they are set', async () => {
    const env = { CONSOLE_HOST: '0.0.0.0', CONSOLE_PORT: '3500', TLS_CERT_FILE: '/etc/dostar/cert.pem' };
    const { out } = await runAdminCommand(cluster.ctx, ['console'], { env });
    expect(out).toMatch(/^https:\/\/127\.0\.0\.1:3500\/console\/open#[\w-]{43}$/m);
    expect(out).toContain('ssh -L 3500:127.0.0.1:3500 SERVER');
    const ipv6 = await runAdminCommand(cluster.ctx, ['console'], { env: { CONSOLE_HOST: '::1' } });
    expect(ipv6.out).toMatch(/^http:\/\/\[::1\]:3400\/console\/open#/);
  });

  test('without the role there is no listener and no link', async () => {
    await using server = await startServer({ ...cluster.config, ROLES: ['api'], PORT: 0 }, cluster.secrets, {
      overrides: { log: cluster.ctx.log },
    });
    expect(server.console).toBeUndefined();
    const refused = await runAdminCommand(cluster.ctx, ['console'], { env: { ROLES: 'api' } });
    expect(refused).toEqual({ code: 1, err: 'the console is off: add "console" to ROLES and restart the server' });
  });

  test('opening and signing out are in the audit log with the operator', async () => {
    const browser = await ConsoleBrowser.open(cluster, 'aigerim');
    await browser.post('/console/sign-out');
    const operator = 'aigerim (console)';
    expect(await newestEntries(3)).toEqual([
      { operator, words: 'console sign-out', outcome: 'done' },
      { operator, words: 'console open', outcome: 'done' },
      { operator: 'aigerim', words: 'console', outcome: 'done' },
    ]);
  });
});

test('the overview shows the findings of the doctor, who may sign up, and the figures', async () => {
  const browser = await ConsoleBrowser.open(cluster);
  await cluster.addAccount();
  const { status, html } = await browser.get('/console');
  expect(status).toBe(200);
  for (const text of ['Health', 'Open to everyone', 'Accounts', 'Storage', 'no limit is set'])
    expect(html).toContain(text);
  expect(html).toMatch(/\d+ problems?|Nothing is wrong|The checks take a while/);
  expect(await browser.post('/console/check')).toMatchObject({ status: 303 });
});

test('the overview says what the doctor finds while a shard is down', async () => {
  const [first] = cluster.config.SHARD_URLS;
  const closed = { id: 1, url: `postgres://postgres@127.0.0.1:${await freePort()}/closed` };
  const config = { ...cluster.config, SHARD_URLS: [first!, closed], DATABASE_TIMEOUT_MS: 1_000 };
  await using server = await startServer({ ...config, PORT: 0 }, cluster.secrets, {
    overrides: { clock, log: cluster.ctx.log },
  });
  const browser = new ConsoleBrowser(server.console!.url);
  await browser.post('/console/open', { code: await printCode(cluster) });
  const { status, html } = await browser.get('/console');
  expect(status).toBe(200);
  expect(html).toContain('not available');
  expect(html).toMatch(/shard 1|The checks take a while/);
});
