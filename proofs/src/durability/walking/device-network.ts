/**
 * A faulty network behind a load balancer: when a process refuses the connection, the next one is tried, and now and
 * then an answer is lost on its way back.
 */
import { randomUUID } from 'node:crypto';
import type { OpenSocket, SocketEvents } from '@dostar/client';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { REALTIME_PATH, type ServerFrame } from '@dostar/protocol/realtime';
import { WebSocket } from 'ws';
import type { Ledger } from './ledger.ts';
import type { Person } from './accounts.ts';
import { decodeProbe } from './probe.ts';

const LOST_ANSWERS = 0.01;

export interface NetworkOptions {
  apis: number[];
  gateways: number[];
  origin: string;
  ledger: Ledger;
  /** Breaks idempotency: a retry uses a new id. */
  changesIdOnRetry: boolean;
}

export interface DeviceNetwork {
  fetch: typeof fetch;
  openSocket: OpenSocket;
}

export function createUnreliableNetwork({ account, token }: Person, networkOptions: NetworkOptions): DeviceNetwork {
  const cookie = `${SESSION_COOKIE}=${token}`;
  return {
    fetch: createFetch(account, cookie, networkOptions),
    openSocket: createSocketOpener(account, cookie, networkOptions),
  };
}

function createFetch(
  account: AccountId,
  cookie: string,
  { apis, ledger, changesIdOnRetry }: NetworkOptions,
): typeof fetch {
  const attempts = new Map<string, number>();

  return async function callSomeApi(input, init = {}) {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const options: RequestInit = { ...init, headers: { ...(init.headers as Record<string, string>), cookie } };
    if (pathname !== sendMessage.path) return fetchFirst(shuffle(apis), pathname, options);

    const send = JSON.parse(init.body as string) as { id: string; to: AccountId; body: string };
    const attempt = (attempts.get(send.id) ?? 0) + 1;
    attempts.set(send.id, attempt);
    if (attempt > 1) ledger.figures.retries += 1;
    if (attempt > 1 && changesIdOnRetry) options.body = JSON.stringify({ ...send, id: randomUUID() });
    const response = await fetchFirst(shuffle(apis), pathname, options);
    if (!response.ok) return response;
    if (Math.random() < LOST_ANSWERS) {
      ledger.figures.lostAnswers += 1;
      await response.arrayBuffer();
      throw new TypeError('the answer was lost');
    }
    ledger.acknowledge(directChat(account, send.to), decodeProbe(send.body));
    return response;
  };
}

/** Tries the next process only if the connection was refused: a process that took the call may have carried it out. */
async function fetchFirst([port, ...others]: number[], path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(`http://127.0.0.1:${port}${path}`, options);
  } catch (error) {
    if (others.length === 0 || !isRefused((error as Error).cause)) throw error;
    return fetchFirst(others, path, options);
  }
}

function createSocketOpener(
  account: AccountId,
  cookie: string,
  { gateways, origin, ledger }: NetworkOptions,
): OpenSocket {
  /** When the last connection ended; undefined while connected and before the first connection. */
  let awaySince: number | undefined;

  return function openSocket(_url, events) {
    return openFirst(shuffle(gateways), { cookie, origin }, { ...events, onText: hear, onClose: leave });

    function hear(text: string): void {
      // Not validated here: the device checks the frame against the protocol.
      const frame = JSON.parse(text) as ServerFrame;
      if (frame.t === 'resumed' && awaySince !== undefined) {
        ledger.figures.reconnects += 1;
        ledger.figures.longestAway = Math.max(ledger.figures.longestAway, performance.now() - awaySince);
        awaySince = undefined;
      }
      if (frame.t === 'reset') ledger.figures.resets += 1;
      if (frame.t === 'entry' && frame.entry.kind === 'mail') {
        const { sender, chat, body = '' } = frame.entry;
        if (sender === account) ledger.acknowledge(chat, decodeProbe(body));
        else ledger.arrive(chat, decodeProbe(body));
      }
      events.onText(text);
    }

    function leave(): void {
      awaySince ??= performance.now();
      events.onClose();
    }
  };
}

function openFirst([port, ...others]: number[], headers: Record<string, string>, events: SocketEvents) {
  let isClosed = false;
  let next: ReturnType<typeof openFirst> | undefined;
  const ws = new WebSocket(`ws://127.0.0.1:${port}${REALTIME_PATH}`, { headers, perMessageDeflate: false });
  ws.on('open', events.onOpen);
  ws.on('message', (data: Buffer) => events.onText(data.toString()));
  ws.on('error', (error) => {
    if (others.length > 0 && !isClosed && isRefused(error)) next = openFirst(others, headers, events);
  });
  ws.on('close', () => {
    if (next === undefined) events.onClose();
  });
  return {
    send: (text: string): void => (next ?? ws).send(text),
    close(): void {
      isClosed = true;
      if (next === undefined) ws.terminate();
      else next.close();
    },
  };
}

function isRefused(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}

function shuffle(ports: number[]): number[] {
  return ports
    .map((port) => ({ port, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ port }) => port);
}
