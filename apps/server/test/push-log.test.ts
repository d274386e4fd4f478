/** Log lines about a push service that refuses or times out: vendor and status, never the subscription. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../src/platform/concurrency/clock.ts';
import { createVapidKey, WebPush } from '../src/platform/delivery/web-push.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { startPushService } from './push-service.ts';
import type { Browser, PushService } from './push-service.ts';

const privateKey = createVapidKey();
const push = { body: '{}', urgency: 'high', ttlSeconds: 60 } as const;
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });

let service: PushService;
let sender: WebPush;
beforeAll(async () => {
  service = await startPushService(() => sender.publicKey);
  setDefaultCACertificates([...getCACertificates('default'), service.certificate]);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
  const options = { privateKey, contact: 'mailto:admin@example.org', hosts: [service.origin] };
  sender = new WebPush({ ...options, clock: systemClock, log, timeoutMs: 300 });
});

async function send({ subscription: { endpoint, keys } }: Browser): Promise<string> {
  return (await sender.send({ endpoint, ...keys }, push)).kind;
}

function readLog(): Record<string, unknown>[] {
  expect(lines.join('')).not.toContain(new URL(service.origin).port);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a refusal is logged with its status, at most once a minute', async () => {
  const browser = service.addBrowser();
  browser.answers = [{ status: 403 }, { status: 413 }];
  expect([await send(browser), await send(browser)]).toEqual(['refused', 'refused']);
  expect(readLog()).toMatchObject([{ service: 'web push', host: 'other', status: 403, msg: 'a push service refuses' }]);
});

test('a push service that is overloaded is logged with its status', async () => {
  const browser = service.addBrowser();
  browser.answers = [{ status: 429 }];
  expect(await send(browser)).toBe('later');
  expect(readLog()).toMatchObject([{ status: 429, msg: 'a push service refuses' }]);
});

test('an accepted push and a subscription that is gone are not logged', async () => {
  const browser = service.addBrowser();
  browser.answers = [{ status: 201 }, { status: 410 }];
  expect([await send(browser), await send(browser)]).toEqual(['sent', 'gone']);
  expect(readLog()).toEqual([]);
});

test('a push service that does not answer in time is logged as a timeout', async () => {
  const answer = Promise.withResolvers<void>();
  service.held = answer.promise;
  expect(await send(service.addBrowser())).toBe('later');
  expect(readLog()).toMatchObject([{ reason: 'ETIMEDOUT', msg: 'an outside service does not answer' }]);
  service.held = undefined;
  answer.resolve();
});
