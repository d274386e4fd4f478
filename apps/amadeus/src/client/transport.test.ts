import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openTransport } from './transport.ts';

const asked: string[] = [];
const server = createServer((request, reply) => {
  asked.push(request.url ?? '');
  reply.writeHead(request.url === '/api/moved' ? 307 : 200, { location: '/elsewhere' }).end();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a call with the session cookie does not follow redirects', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { read: () => Promise.resolve([]), write: () => Promise.resolve() };
  const transport = await openTransport({ server: url, site: 'https://family.example', place });
  await expect(transport.fetch('https://family.example/api/moved')).rejects.toThrow();
  expect((await transport.fetch('https://family.example/api/here')).status).toBe(200);
  expect(asked).toEqual(['/api/moved', '/api/here']);
});
