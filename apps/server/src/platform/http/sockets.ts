/**
 * WebSockets: the handshake, the limits, and a socket that says when it is full.
 *
 * A client that stops reading must cost a bounded buffer and end by itself: nothing is sent while the buffer is above
 * the high-water mark, and a socket that stays there is closed (SPEC B1).
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_CLIENT_FRAME_BYTES, PING_EVERY_MS } from '@dostar/protocol/realtime';
import type { ByeReason, ServerFrame } from '@dostar/protocol/realtime';
import { WebSocket, WebSocketServer } from 'ws';
import { refuseRaw } from './protection-headers.ts';
import { answerPings, SOCKET_OPTIONS } from './socket-pings.ts';

const HIGH_WATER_BYTES = 512 * 1024;
const STALLED_AFTER_MS = 20_000;
/** Two heartbeats and a half: one may be lost. */
const IDLE_TIMEOUT_MS = PING_EVERY_MS * 2.5;
const CHECK_INTERVAL_MS = 5_000;
const MAX_HANDSHAKES = 500;
const GOING_AWAY = 1001;

export interface Refusal {
  status: 401 | 403 | 429 | 503;
}

export class Socket {
  readonly #ws: WebSocket;
  #lastFrameAt = Date.now();
  #backpressureSince: number | undefined;
  onFrame: (text: string) => void = () => {};
  onDrain: () => void = () => {};
  onClose: () => void = () => {};
  onEnd: (reason: ByeReason) => void = () => {};

  constructor(ws: WebSocket) {
    this.#ws = ws;
    answerPings(ws, HIGH_WATER_BYTES);
    ws.on('message', (data, isBinary) => {
      // The peer may continue to send until it has answered the closing handshake.
      if (!this.isOpen) return;
      this.#lastFrameAt = Date.now();
      if (isBinary) this.end('protocol');
      else this.onFrame((data as Buffer).toString('utf8'));
    });
    ws.on('close', () => this.onClose());
    // A broken peer: the close event follows.
    ws.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  /** Above the mark the caller waits for `onDrain`. */
  get isFull(): boolean {
    return this.#backpressureSince !== undefined;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    if (this.#ws.bufferedAmount + text.length < HIGH_WATER_BYTES) {
      this.#ws.send(text, { binary: false });
      return;
    }
    this.#backpressureSince ??= Date.now();
    this.#ws.send(text, { binary: false }, () => {
      if (this.#backpressureSince === undefined || this.#ws.bufferedAmount >= HIGH_WATER_BYTES) return;
      this.#backpressureSince = undefined;
      this.onDrain();
    });
  }

  end(reason: ByeReason, afterMs = 0): void {
    if (!this.isOpen) return;
    const bye: ServerFrame = { t: 'bye', reason, afterMs };
    this.onEnd(reason);
    if (!this.isFull) this.#ws.send(JSON.stringify(bye));
    this.#ws.close(GOING_AWAY, reason);
    // A peer that does not answer the closing handshake would hold the socket for half a minute.
    setTimeout(() => this.#ws.terminate(), 2_000).unref();
  }

  /** Called now and then by the server. */
  watch(now: number): void {
    if (this.#backpressureSince !== undefined && now - this.#backpressureSince > STALLED_AFTER_MS) this.end('slow');
    if (now - this.#lastFrameAt > IDLE_TIMEOUT_MS) this.#ws.terminate();
  }
}

export interface SocketServerOptions<Identity> {
  server: Server;
  /** Browsers reach us over TLS. */
  isSecure: boolean;
  path: string;
  /** Upgrades that another server answers. */
  isHandledElsewhere: (url: string | undefined) => boolean;
  /** Decides the handshake before a socket exists. */
  admit: (request: IncomingMessage) => Promise<Identity | Refusal>;
  open: (socket: Socket, identity: Identity) => void;
}

/** Answers upgrades of `path`; ends every socket with a spread-out invitation to come back when closed. */
export function serveSockets<Identity extends object>(options: SocketServerOptions<Identity>): AsyncDisposable {
  const wss = new WebSocketServer({ ...SOCKET_OPTIONS, maxPayload: MAX_CLIENT_FRAME_BYTES });
  const sockets = new Set<Socket>();
  let handshakes = 0;
  let isClosing = false;
  const timer = setInterval(() => {
    const now = Date.now();
    for (const socket of sockets) socket.watch(now);
  }, CHECK_INTERVAL_MS);

  wss.on('wsClientError', (_error, stream) => refuseRaw(stream, 400, options.isSecure));
  options.server.on('upgrade', (request, stream, head) => void upgrade(request, stream, head));

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    if (options.isHandledElsewhere(request.url)) return;
    stream.on('error', () => stream.destroy());
    if (request.url !== options.path) return refuseRaw(stream, 404, options.isSecure);
    if (isClosing || handshakes >= MAX_HANDSHAKES) return refuseRaw(stream, 503, options.isSecure);
    handshakes += 1;
    try {
      const identity = await options.admit(request);
      if ('status' in identity) return refuseRaw(stream, identity.status, options.isSecure);
      if (stream.destroyed) return;
      wss.handleUpgrade(request, stream, head, (ws) => accept(ws, identity));
    } catch {
      refuseRaw(stream, 503, options.isSecure);
    } finally {
      handshakes -= 1;
    }
  }

  function accept(ws: WebSocket, identity: Identity): void {
    const socket = new Socket(ws);
    sockets.add(socket);
    ws.on('close', () => sockets.delete(socket));
    options.open(socket, identity);
    if (isClosing) socket.end('restart');
  }

  return {
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearInterval(timer);
      // A spread, or all clients would reconnect at once.
      for (const socket of sockets) socket.end('restart', Math.floor(Math.random() * RECONNECT_SPREAD_MS));
      wss.close();
    },
  };
}

const RECONNECT_SPREAD_MS = 2_000;
