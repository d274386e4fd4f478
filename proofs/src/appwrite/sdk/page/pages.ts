/** Serves pages that load the published package, and forwards `/v1` so that the provider can redirect users back. */
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const BUNDLE = readFileSync(join(dirname(createRequire(import.meta.url).resolve('appwrite')), '../iife/sdk.js'));
const HTML = '<!doctype html><html lang="en"><title>A page</title><script src="/sdk.js"></script></html>';

export interface Pages extends AsyncDisposable {
  origin: string;
  /** The same page under a host that the project does not allow. */
  stranger: string;
}

export async function servePages(port: number, api: string): Promise<Pages> {
  const server = createServer((call, answer) => {
    if (call.url?.startsWith('/v1/')) passOn(call, answer, api);
    else if (call.url === '/sdk.js') answer.writeHead(200, { 'content-type': 'text/javascript' }).end(BUNDLE);
    else answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(HTML);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`,
    stranger: `http://stranger.localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(call: IncomingMessage, answer: ServerResponse, api: string): void {
  const { method, headers } = call;
  const away = request(new URL(call.url ?? '/', api), { method: method ?? 'GET', headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  away.on('error', () => answer.writeHead(502).end());
  call.pipe(away);
}
