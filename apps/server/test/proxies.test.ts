/**
 * The settings of deploy/proxy in the real programs: users reach the server over TLS, and the server sees their addresses.
 *
 * @module-tag nightly: Debian's nginx, Caddy and HAProxy are downloaded.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as http2 from 'node:http2';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { getStats } from '@dostar/protocol/contract/stats';
import { REALTIME_PATH, REALTIME_VERSION } from '@dostar/protocol/realtime';
import { freePort, launch, runEngine, startHaproxy, unpackDebian, waitFor } from '@dostar/tools/servers';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openAuthority } from './authority.ts';
import { randomBody, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const DOMAIN = 'chat.example.org';
const ORIGIN = `https://${DOMAIN}`;
const DEPLOY = new URL('../../../deploy/proxy/', import.meta.url);
/** A proxy reaches the server from 127.0.0.1, so the other addresses of this machine can stand for users. */
const TRUSTED_PROXIES = '127.0.0.1';
const FORGED = '203.0.113.9';

interface Ports {
  plain: number;
  tls: number;
}

interface Visitor {
  /** The address of the proxy that the user connects to. */
  host: string;
  localAddress: string;
  /** As the server counts it. */
  seen: string;
}

const VISITORS: [family: string, visitor: Visitor][] = [
  ['IPv4', { host: '127.0.0.1', localAddress: '127.0.0.2', seen: '127.0.0.2' }],
  ['IPv6', { host: '::1', localAddress: '::1', seen: '0:0:0:0::' }],
];

let cluster: TestCluster;
let folder: string;
let certificate: { key: string; cert: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dostar-proxies-'));
  await using authority = await openAuthority();
  certificate = await authority.sign(DOMAIN, 5);
  await writeFile(join(folder, 'key.pem'), certificate.key);
  await writeFile(join(folder, 'cert.pem'), certificate.cert);
  await writeFile(join(folder, 'both.pem'), certificate.cert + certificate.key);
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env: { ORIGIN, TRUSTED_PROXIES },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Our file with the server of this test. Throws if it has none to replace. */
async function readSettings(name: string): Promise<string> {
  const text = await readFile(new URL(name, DEPLOY), 'utf8');
  expect(text).toContain('127.0.0.1:3000');
  return text.replaceAll('127.0.0.1:3000', new URL(cluster.url).host);
}

/** Runs a program until the end of the test file's part, and waits until it answers over TLS. */
async function run(name: string, command: string, args: string[], { tls }: Ports): Promise<AsyncDisposable> {
  const log = join(folder, `${name}.log`);
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  const start = () => launch({ command, args, log, env, survives: false });
  const engine = await runEngine({ port: tls, log, stopSignal: 'SIGTERM', start });
  await waitFor(() => ask({ port: tls, path: '/healthz' }, VISITORS[0]![1]), { what: name, timeoutMs: 20_000 }).catch(
    async (error: unknown) => {
      throw new Error(await readFile(log, 'utf8'), { cause: error });
    },
  );
  return engine;
}

const PROGRAMS: Record<string, (ports: Ports) => Promise<AsyncDisposable>> = {
  async nginx(ports) {
    const command = await unpackDebian({ name: 'nginx', suite: 'bookworm', package: 'nginx', file: 'usr/sbin/nginx' });
    const site = (await readSettings('nginx.conf'))
      .replaceAll(/(listen (?:\[::\]:)?)80;/g, `$1${ports.plain};`)
      .replaceAll(/(listen (?:\[::\]:)?)443 /g, `$1${ports.tls} `)
      .replace('/etc/letsencrypt/live/chat.example.org/fullchain.pem', `${folder}/cert.pem`)
      .replace('/etc/letsencrypt/live/chat.example.org/privkey.pem', `${folder}/key.pem`)
      .replace('/var/log/nginx/dostar.log', `${folder}/nginx.log`);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      `daemon off; pid ${folder}/nginx.pid; worker_processes 1; events {} http { ${places}\n${site} }`,
    );
    return run('nginx', command, ['-p', folder, '-e', `${folder}/nginx.log`, '-c', file], ports);
  },

  async Caddy(ports) {
    const command = await unpackDebian({ name: 'caddy', suite: 'bookworm', package: 'caddy', file: 'usr/bin/caddy' });
    const site = (await readSettings('Caddyfile'))
      .replace(`\n${DOMAIN} {`, `\n${DOMAIN}:${ports.tls} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
      .replace(`http://${DOMAIN} {`, `http://${DOMAIN}:${ports.plain} {`);
    const file = join(folder, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    return run('Caddy', command, ['run', '--adapter', 'caddyfile', '--config', file], ports);
  },

  async HAProxy(ports) {
    const config = (await readSettings('haproxy.cfg'))
      .replace(/^ {2}log .*$/m, '')
      .replaceAll(/(bind :(?:::)?)80\b/g, `$1${ports.plain}`)
      .replaceAll(/(bind :(?:::)?)443\b/g, `$1${ports.tls}`)
      .replaceAll('/etc/haproxy/chat.example.org.pem', `${folder}/both.pem`);
    return startHaproxy({ dir: join(folder, 'haproxy'), port: ports.tls, config });
  },
};

interface Asked {
  port: number;
  path: string;
  headers?: Record<string, string>;
  isPlain?: boolean;
}

/** A request as a browser at the address of `visitor` sends it. */
async function ask(
  { port, path, headers, isPlain = false }: Asked,
  { host, localAddress }: Visitor,
): Promise<http.IncomingMessage> {
  const to = { host, localAddress, port, path, headers: { host: DOMAIN, ...headers }, agent: false };
  const tls = { servername: DOMAIN, rejectUnauthorized: false };
  const sent = (isPlain ? http.request(to) : https.request({ ...to, ...tls })).end();
  const [reply] = (await once(sent, 'response')) as [http.IncomingMessage];
  reply.resume();
  return reply;
}

function openSocket(
  { host, localAddress }: Visitor,
  { tls }: Ports,
  token: string,
  headers: Record<string, string> = {},
): WebSocket {
  const address = host.includes(':') ? `[${host}]` : host;
  // The types know no `servername`.
  const options = {
    localAddress,
    servername: DOMAIN,
    rejectUnauthorized: false,
    headers: { host: DOMAIN, origin: ORIGIN, cookie: `${SESSION_COOKIE}=${token}`, ...headers },
  };
  return new WebSocket(`wss://${address}:${tls}${REALTIME_PATH}`, options);
}

describe.each(Object.keys(PROGRAMS))('behind %s', (name) => {
  let ports: Ports;
  let program: AsyncDisposable;
  let alice: Person;
  beforeAll(async () => {
    ports = { plain: await freePort(), tls: await freePort() };
    program = await PROGRAMS[name]!(ports);
    alice = await cluster.addAccount();
  }, 300_000);
  afterAll(() => program?.[Symbol.asyncDispose]());

  test.each(VISITORS)('a WebSocket opens over %s, and passes frames both ways', async (_, visitor) => {
    const socket = openSocket(visitor, ports, alice.token);
    await once(socket, 'open');
    socket.send(JSON.stringify({ t: 'resume', v: REALTIME_VERSION, cursor: null }));
    const [frame] = (await once(socket, 'message')) as [Buffer];
    expect(['resumed', 'reset']).toContain((JSON.parse(frame.toString()) as { t: string }).t);
    socket.terminate();
  });

  test.each(VISITORS)(
    'the server sees the %s address of a call, and believes no header of the client',
    async (_, visitor) => {
      const charged = vi.spyOn(cluster.ctx.limits, 'charge');
      const headers = { [CALL_HEADER]: '1', 'x-forwarded-for': FORGED };
      const { statusCode } = await ask({ port: ports.tls, path: getStats.path, headers }, visitor);
      expect(statusCode).toBe(200);
      expect(charged.mock.calls.map(([, key]) => key)).toEqual([visitor.seen]);
      charged.mockRestore();
    },
  );

  test.each(VISITORS)('the server sees the %s address of a WebSocket too', async (_, visitor) => {
    const charged = vi.spyOn(cluster.ctx.limits, 'charge');
    const forged = { account: alice.account, token: randomBody(48) };
    const socket = openSocket(visitor, ports, forged.token, { 'x-forwarded-for': FORGED });
    const [refusal] = (await once(socket, 'error')) as [Error];
    expect(refusal.message).toContain('401');
    expect(new Set(charged.mock.calls.map(([, key]) => key))).toEqual(new Set([visitor.seen]));
    charged.mockRestore();
  });

  test('a WebSocket opens over HTTP/2 too, if the proxy offers that to browsers', async () => {
    const session = http2.connect(`https://127.0.0.1:${ports.tls}`, { servername: DOMAIN, rejectUnauthorized: false });
    const [settings] = (await once(session, 'remoteSettings')) as [http2.Settings];
    expect(settings.enableConnectProtocol === true).toBe(name === 'HAProxy');
    if (settings.enableConnectProtocol === true) {
      const handshake = session.request({
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': 'https',
        ':authority': DOMAIN,
        ':path': REALTIME_PATH,
        'sec-websocket-version': '13',
        origin: ORIGIN,
        cookie: `${SESSION_COOKIE}=${alice.token}`,
      });
      const [headers] = (await once(handshake, 'response')) as [http2.IncomingHttpHeaders];
      expect(headers[':status']).toBe(200);
    }
    session.destroy();
  });

  test('metrics stay inside', async () => {
    expect((await ask({ port: ports.tls, path: '/metrics' }, VISITORS[0]![1])).statusCode).toBe(404);
    expect((await ask({ port: ports.tls, path: '/healthz' }, VISITORS[0]![1])).statusCode).toBe(200);
  });

  test.each(VISITORS)('without TLS a page is redirected over %s, and a program is refused', async (_, visitor) => {
    const askPlain = (path: string) => ask({ port: ports.plain, path, isPlain: true }, visitor);
    const page = await askPlain('/about');
    expect([page.statusCode, page.headers.location]).toEqual([308, `https://${DOMAIN}/about`]);
    for (const path of ['/api/stats', '/v1/account', '/realtime']) expect((await askPlain(path)).statusCode).toBe(403);
  });
});
