/**
 * Sends one frame on its own socket and waits until the server has answered a ping after it or has closed the socket.
 *
 * The status of the reply is 101 if the socket stayed open, otherwise the closing code or the status of a refused
 * handshake. Its text is the last frame of the server.
 */
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { REALTIME_PATH, REALTIME_VERSION } from '@dostar/protocol/realtime';
import { WebSocket } from 'ws';
import type { Data } from 'ws';
import { ORIGIN } from '../../harness/lib/servers.ts';
import type { FrameTarget } from './frame-targets.ts';
import type { Fixture } from './fixture-pool.ts';
import { PROJECT } from './service-definition.ts';
import { TIMEOUT_MS, UNANSWERED } from './wire.ts';
import type { Reply } from './wire.ts';

export interface FrameInput {
  bytes: Buffer;
  isBinary: boolean;
  /** True for a frame that is sent before `resume`. */
  isEarly: boolean;
}

const PING = 424_242;

export function sayFrame(url: string, target: FrameTarget, fixture: Fixture, input: FrameInput): Promise<Reply> {
  const ws = target.socket === 'realtime' ? openProduct(url, fixture) : openService(url, fixture);
  const begins = target.socket === 'realtime' ? `{"t":"resume","v":${REALTIME_VERSION},"cursor":null}` : undefined;
  const ping = target.socket === 'realtime' ? `{"t":"ping","n":${PING}}` : '{"type":"ping"}';
  const isResume = target.name === 'frame resume';
  const { promise, resolve } = Promise.withResolvers<Reply>();
  let text = '';
  const timer = setTimeout(() => finish(UNANSWERED), TIMEOUT_MS);

  function finish(code: number): void {
    clearTimeout(timer);
    ws.terminate();
    resolve({ status: code, text: text.slice(0, 300) });
  }

  function speak(): void {
    ws.send(input.bytes, { binary: input.isBinary });
    ws.send(ping);
  }

  ws.on('open', () => {
    if (begins !== undefined && !isResume && !input.isEarly) ws.send(begins);
    if (begins !== undefined) speak();
  });
  ws.on('message', (data: Data) => {
    text = (data as Buffer).toString();
    // `/v1` accepts frames after its welcome.
    if (text.startsWith('{"type":"connected"')) speak();
    if (text.includes(`"n":${PING}`) || text === '{"type":"pong"}') finish(101);
  });
  ws.on('unexpected-response', (_, reply) => finish(reply.statusCode ?? 0));
  ws.on('error', () => {});
  ws.on('close', finish);
  return promise;
}

function openProduct(url: string, { testAccounts, address }: Fixture): WebSocket {
  const headers = {
    'x-forwarded-for': address,
    cookie: `${SESSION_COOKIE}=${testAccounts.alice.token}`,
    origin: ORIGIN,
  };
  return new WebSocket(url.replace('http', 'ws') + REALTIME_PATH, { headers });
}

function openService(url: string, { service, address }: Fixture): WebSocket {
  const headers = { 'x-forwarded-for': address, 'x-appwrite-session': service.secret };
  return new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=${PROJECT}`, { headers });
}
