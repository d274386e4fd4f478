/** Requests of the server to other machines: none follows a redirect, and the log names the failure but no address. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistantChecks } from '../src/cli/doctor/assistant.ts';
import type { CheckInput } from '../src/cli/doctor/finding.ts';
import { systemClock } from '../src/platform/concurrency/clock.ts';
import { Fcm } from '../src/platform/delivery/fcm.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { createOpenId } from '../src/platform/security/openid.ts';
import { openTextMessages } from '../src/platform/delivery/text-messages.ts';

const TOKEN_PATH = '/token';
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });

/** Redirects everything to `/elsewhere`, except paths for which a test sets an answer. */
let answered: Record<string, unknown> = {};
const asked: string[] = [];
const server = createServer((request, reply) => {
  const path = new URL(request.url ?? '', 'http://x').pathname;
  asked.push(path);
  if (path in answered) {
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered[path]));
  } else if (path === '/elsewhere') reply.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  else reply.writeHead(307, { location: '/elsewhere' }).end();
});
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answered = {};
  asked.length = 0;
  lines.length = 0;
});

function openFcm(): Fcm {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = JSON.stringify({
    project_id: 'sample',
    client_email: 'sender@app.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: url + TOKEN_PATH,
  });
  return new Fcm({ credentials, url, clock: systemClock, log });
}

const push = { body: '{}', urgency: 'high', ttlSeconds: 60 } as const;

function expectLogged(service: string): void {
  const [line, ...others] = lines.map((each) => JSON.parse(each) as Record<string, unknown>);
  expect(line).toMatchObject({ service, msg: 'an outside service does not answer' });
  expect(others).toEqual([]);
  expect(lines.join('')).not.toContain(new URL(url).port);
}

test('the request for a Firebase token', async () => {
  expect(await openFcm().send('token', push)).toEqual({ kind: 'later', afterMs: undefined });
  expect(new Set(asked)).toEqual(new Set([TOKEN_PATH]));
  expectLogged('firebase');
});

test('a message to Firebase', async () => {
  answered = { [TOKEN_PATH]: { access_token: 'short-lived', expires_in: 3_600, token_type: 'Bearer' } };
  expect(await openFcm().send('token', push)).toEqual({ kind: 'later', afterMs: undefined });
  expect(asked).toEqual([TOKEN_PATH, '/v1/projects/sample/messages:send']);
  expectLogged('firebase');
});

test('a text message', async () => {
  const messages = openTextMessages(`${url}/send?token=provider-secret`, log);
  await expect(messages.send('+77010000000', 'code')).rejects.toMatchObject({ code: 'unavailable' });
  // Within a minute the same failure is not logged again.
  await expect(messages.send('+77010000000', 'code')).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toEqual(['/send', '/send']);
  expectLogged('text messages');
  expect(lines.join('')).not.toMatch(/provider-secret|7701/);
});

test("the OpenID provider's description", async () => {
  const provider = createOpenId({ issuer: url, clientId: 'id', clientSecret: 'secret' });
  await expect(provider.begin('http://localhost/')).rejects.toThrow();
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});

test("the doctor's question to the assistant", async () => {
  const [check] = assistantChecks;
  await check!.run({ config: { AMADEUS_URL: url } } as CheckInput);
  expect(asked).toEqual(['/readyz']);
});
