import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Model, openModel } from './model.ts';

interface ReceivedRequest {
  url: string | undefined;
  authorization: string | undefined;
  body: { model: string; stream: boolean; messages: { role: string; content: string }[] };
}

/** A server that speaks the protocol; each test sets its response. */
let answer = (_reply: ServerResponse): void => {};
const receivedRequests: ReceivedRequest[] = [];
const server = createServer((request, reply) => void take(request, reply));
const log = vi.fn();
let base = '';
let model: Model;

async function take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const body = JSON.parse((await buffer(request)).toString()) as ReceivedRequest['body'];
  receivedRequests.push({ url: request.url, authorization: request.headers.authorization, body });
  answer(reply);
}

function say(content: unknown, status = 200): (reply: ServerResponse) => void {
  return (reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content } }] }));
  };
}

function stream(...lines: string[]): (reply: ServerResponse) => void {
  return (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    reply.end(lines.map((line) => `data: ${line}\n\n`).join(''));
  };
}

const chunk = (content: string | null): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  receivedRequests.length = 0;
  log.mockClear();
  const settings = { AMADEUS_MODEL_URL: base, AMADEUS_MODEL_NAME: 'small', AMADEUS_MODEL_KEY: 'secret' };
  model = openModel(settings, log, 500)!;
});

test('without a URL and a model name there is no model', () => {
  const none = { AMADEUS_MODEL_URL: undefined, AMADEUS_MODEL_NAME: undefined, AMADEUS_MODEL_KEY: undefined };
  expect(openModel({ ...none, AMADEUS_MODEL_URL: base }, log)).toBeUndefined();
  expect(openModel({ ...none, AMADEUS_MODEL_NAME: 'small' }, log)).toBeUndefined();
});

test('it gets the tutorials, the key and the question, and nothing about the asker', async () => {
  answer = say(' Press “Forgot password”. ');
  expect(await model.ask('I forgot my password', 'en')).toBe('Press “Forgot password”.');
  const [{ url, authorization, body } = {} as ReceivedRequest] = receivedRequests;
  expect([url, authorization]).toEqual(['/v1/chat/completions', 'Bearer secret']);
  expect(Object.keys(body).toSorted()).toEqual(['messages', 'model', 'stream']);
  expect([body.model, body.stream]).toEqual(['small', false]);
  const [system, user, ...rest] = body.messages;
  expect(system?.content).toContain('Answer only from these tutorials');
  expect([user, rest]).toEqual([{ role: 'user', content: 'I forgot my password' }, []]);
  expect(log).not.toHaveBeenCalled();
});

test('a server that streams without being asked to is supported', async () => {
  answer = stream(chunk(''), chunk('Open '), chunk('the settings.'), chunk(null), '[DONE]');
  expect(await model.ask('Where?', 'en')).toBe('Open the settings.');
});

test('an incomplete stream is not used as an answer', async () => {
  answer = stream(chunk('Never press '));
  expect(await model.ask('What should I press?', 'en')).toBeUndefined();
  expect(log).toHaveBeenCalledWith('model did not answer', { why: 'Error' });
});

test.each([401, 429, 500])('a response with status %i is not used, and the log names the status', async (status) => {
  answer = say('no', status);
  expect(await model.ask('my secret question', 'en')).toBeUndefined();
  expect(log.mock.calls).toEqual([['model did not answer', { why: `status ${status}` }]]);
});

test.each(['', '   ', null, 7])('an answer without text is not used: %j', async (content) => {
  answer = say(content);
  expect(await model.ask('Where?', 'en')).toBeUndefined();
});

test('a malformed or endless response is not used', async () => {
  answer = (reply) => void reply.end('<html>');
  expect(await model.ask('Where?', 'en')).toBeUndefined();
  answer = (reply) => void reply.end(`"${'x'.repeat(300 * 1024)}"`);
  expect(await model.ask('Where?', 'en')).toBeUndefined();
});

test('a long answer is cut to the length of a message', async () => {
  answer = say('x'.repeat(10_000));
  expect(await model.ask('Where?', 'en')).toHaveLength(4_000);
});

test('a slow model is not waited for, also in the middle of its answer', async () => {
  answer = () => {};
  expect(await model.ask('Where?', 'en')).toBeUndefined();
  answer = (reply) => void reply.writeHead(200, { 'content-type': 'application/json' }).write('{');
  expect(await model.ask('Where?', 'en')).toBeUndefined();
  const late = ['model did not answer', { why: 'TimeoutError' }];
  expect(log.mock.calls).toEqual([late, late]);
});

test('nothing is passed to another host than the one named in the notice', async () => {
  answer = (reply) => void reply.writeHead(307, { location: `${base}elsewhere` }).end();
  expect(await model.ask('Where?', 'en')).toBeUndefined();
  expect(receivedRequests).toHaveLength(1);
});

test('an unreachable server gives no answer', async () => {
  const settings = {
    AMADEUS_MODEL_URL: 'http://127.0.0.1:9/v1',
    AMADEUS_MODEL_NAME: 'x',
    AMADEUS_MODEL_KEY: undefined,
  };
  expect(await openModel(settings, log)?.ask('Where?', 'en')).toBeUndefined();
});
