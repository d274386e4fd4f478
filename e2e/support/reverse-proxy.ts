/**
 * The single origin that the browser uses: the built web app, `/api` round-robin over the apis, `/realtime` over the
 * gateways.
 *
 * Like a load balancer, it tries the next process if one refuses the connection, and never repeats a call that a
 * process has accepted: the client's retry handles that.
 */
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Duplex } from 'node:stream';

export interface ReverseProxyOptions {
  port: number;
  webRoot: string;
  apis: number[];
  gateways: number[];
}

export interface ReverseProxy extends AsyncDisposable {
  origin: string;
  /** Number of open sockets by port of the gateway. */
  countSockets(): Map<number, number>;
}

export async function startReverseProxy(options: ReverseProxyOptions): Promise<ReverseProxy> {
  const { port, webRoot } = options;
  const nextApi = createRoundRobin(options.apis);
  const nextGateway = createRoundRobin(options.gateways);
  const sockets = new Map<number, number>(options.gateways.map((gateway) => [gateway, 0]));
  const browsers = new Set<Duplex>();

  const server = createServer((call, answer) => {
    const work = call.url?.startsWith('/api/')
      ? proxyRequest(call, answer, nextApi())
      : serveFile(webRoot, call, answer);
    work.catch(() => answer.writeHead(502).end());
  });
  server.on('upgrade', (call, browser, head) => {
    proxySocket(call, browser, head, nextGateway()).catch(() => browser.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`,
    countSockets: () => new Map(sockets),
    async [Symbol.asyncDispose]() {
      for (const browser of browsers) browser.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function proxySocket(call: IncomingMessage, browser: Duplex, head: Buffer, ports: number[]): Promise<void> {
    const gateway = await connectToFirstAvailable(ports);
    const { remotePort: chosen = 0 } = gateway;
    sockets.set(chosen, (sockets.get(chosen) ?? 0) + 1);
    gateway.once('close', () => sockets.set(chosen, (sockets.get(chosen) ?? 1) - 1));
    const lines = call.rawHeaders.flatMap((name, index) =>
      index % 2 ? [] : [`${name}: ${call.rawHeaders[index + 1]}`],
    );
    gateway.write([`${call.method} ${call.url} HTTP/1.1`, ...lines, '\r\n'].join('\r\n'));
    gateway.write(head);
    browsers.add(browser);
    browser.once('close', () => browsers.delete(browser));
    gateway.pipe(browser).pipe(gateway);
    gateway.on('error', () => browser.destroy()).on('close', () => browser.destroy());
    browser.on('error', () => gateway.destroy()).on('close', () => gateway.destroy());
  }
}

async function proxyRequest(call: IncomingMessage, answer: ServerResponse, ports: number[]): Promise<void> {
  const { method, url, headers } = call;
  const body = Buffer.concat(await call.toArray());
  const socket = await connectToFirstAvailable(ports);
  await new Promise<void>((resolve, reject) => {
    const passed = request({ createConnection: () => socket, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
      reply.once('end', resolve).once('error', reject);
    });
    passed.once('error', reject);
    passed.end(body);
  });
}

/** Connects to the first process that accepts a connection. */
async function connectToFirstAvailable(ports: number[]): Promise<Socket> {
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    if (await promise) return socket;
  }
  throw new Error('nobody answers');
}

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Serves a file of the build, or the app shell for any other path. */
async function serveFile(webRoot: string, call: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { pathname } = new URL(call.url ?? '/', 'http://front');
  const path = join(webRoot, normalize(pathname));
  const isFile = extname(path) !== '';
  const bytes = await readFile(isFile ? path : join(path, 'index.html')).catch(() =>
    isFile ? undefined : readFile(join(webRoot, '__spa-fallback.html')),
  );
  if (bytes === undefined) answer.writeHead(404).end();
  else answer.writeHead(200, { 'content-type': TYPES[isFile ? extname(path) : '.html'] ?? 'text/plain' }).end(bytes);
}

/** Returns all ports, starting with the next one each time. */
function createRoundRobin(ports: number[]): () => number[] {
  let turn = 0;
  return () => {
    const first = turn++ % ports.length;
    return [...ports.slice(first), ...ports.slice(0, first)];
  };
}
