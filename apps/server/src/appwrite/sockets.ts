/**
 * WebSockets of `/v1`: frames `{type, data}` as the Appwrite SDKs send them, with limits on what an unknown client may
 * cost.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { ConnectionsPerNetwork } from '../platform/concurrency/connections-per-network.ts';
import { refuseRaw } from '../platform/http/protection-headers.ts';
import { answerPings, SOCKET_OPTIONS } from '../platform/http/socket-pings.ts';
import { readVisitor } from '../platform/http/visitor-address.ts';
import type { IsProxy } from '../platform/http/visitor-address.ts';

const PATH = '/v1/realtime';
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_FRAMES_PER_MINUTE = 32;
/** A client that continues after refusals is disconnected: refusals cost too. */
const MAX_FRAMES_BEFORE_CLOSE = 10 * MAX_FRAMES_PER_MINUTE;
const MAX_OPEN = 20_000;
const MAX_OPEN_PER_ADDRESS = 256;
/** A client that reads too slowly is disconnected at this size of its buffer. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Clients ping every 20 s. */
const IDLE_TIMEOUT_MS = 90_000;
const CHECK_INTERVAL_MS = 10_000;

/** Error codes that the SDKs know: a bad frame, a permanent refusal, a rate limit. */
export const CODES = { badFrame: 1003, policy: 1008, tooMuch: 1013 } as const;

export class AppwriteSocket {
  readonly #ws: WebSocket;
  #lastFrameAt = Date.now();
  #minute = 0;
  #frames = 0;
  onFrame: (text: string) => void = () => {};
  onClose: () => void = () => {};

  constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    answerPings(ws, MAX_BUFFERED_BYTES);
    ws.on('close', () => this.onClose());
    // A broken peer: the close event follows.
    ws.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    if (this.#ws.bufferedAmount > MAX_BUFFERED_BYTES) this.#ws.terminate();
    else this.#ws.send(text);
  }

  fail(code: number, message: string): void {
    this.send(JSON.stringify({ type: 'error', data: { code, message } }));
    if (code === CODES.policy) this.#ws.close(code, message);
  }

  end(code = 1001): void {
    this.#ws.close(code);
    // A peer that does not answer the closing handshake would hold the socket for half a minute.
    setTimeout(() => this.#ws.terminate(), 2_000).unref();
  }

  watch(now: number): void {
    if (now - this.#lastFrameAt > IDLE_TIMEOUT_MS) this.#ws.terminate();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    this.#lastFrameAt = Date.now();
    const minute = Math.floor(this.#lastFrameAt / 60_000);
    this.#frames = minute === this.#minute ? this.#frames + 1 : 1;
    this.#minute = minute;
    if (this.#frames > MAX_FRAMES_BEFORE_CLOSE) this.#closeFlooding();
    else if (this.#frames > MAX_FRAMES_PER_MINUTE) this.fail(CODES.tooMuch, 'Too many messages.');
    else if (isBinary) this.fail(CODES.badFrame, 'Message format is not valid.');
    else this.onFrame(data.toString('utf8'));
  }

  #closeFlooding(): void {
    if (this.isOpen) this.end(CODES.tooMuch);
  }
}

interface AppwriteSocketOptions {
  server: Server;
  /** Whether browsers use TLS. */
  isSecure: boolean;
  isProxy: IsProxy;
  /** Throws to refuse, before the socket is accepted. */
  admit: (address: string) => Promise<void>;
  open: (socket: AppwriteSocket, request: IncomingMessage, address: string) => void;
}

export function isAppwriteSocket(url: string | undefined): boolean {
  return url?.split('?')[0] === PATH;
}

export function serveAppwriteSockets({
  server,
  isSecure,
  isProxy,
  admit,
  open,
}: AppwriteSocketOptions): AsyncDisposable {
  const wss = new WebSocketServer({ ...SOCKET_OPTIONS, maxPayload: MAX_FRAME_BYTES });
  const sockets = new Set<AppwriteSocket>();
  const perNetwork = new ConnectionsPerNetwork(MAX_OPEN_PER_ADDRESS);
  let isClosing = false;
  const timer = setInterval(() => {
    const now = Date.now();
    for (const socket of sockets) socket.watch(now);
  }, CHECK_INTERVAL_MS);

  wss.on('wsClientError', (_error, stream) => refuseRaw(stream, 400, isSecure));
  server.on('upgrade', (request, stream, head) => void upgrade(request, stream, head));

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    if (!isAppwriteSocket(request.url)) return;
    stream.on('error', () => stream.destroy());
    const address = readVisitor(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for'], isProxy);
    if (isClosing || sockets.size >= MAX_OPEN || perNetwork.isFull(address)) return refuseRaw(stream, 503, isSecure);
    const isAdmitted = await admit(address).then(
      () => true,
      () => false,
    );
    if (!isAdmitted) return refuseRaw(stream, 429, isSecure);
    if (!stream.destroyed) wss.handleUpgrade(request, stream, head, (ws) => accept(ws, request, address));
  }

  function accept(ws: WebSocket, request: IncomingMessage, address: string): void {
    const socket = new AppwriteSocket(ws);
    sockets.add(socket);
    perNetwork.add(address, 1);
    ws.on('close', () => {
      sockets.delete(socket);
      perNetwork.add(address, -1);
    });
    open(socket, request, address);
    if (isClosing) socket.end();
  }

  return {
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearInterval(timer);
      for (const socket of sockets) socket.end();
      wss.close();
    },
  };
}
