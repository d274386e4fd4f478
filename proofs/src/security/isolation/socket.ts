import { setTimeout as sleep } from 'node:timers/promises';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { REALTIME_PATH, REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { ServerFrame } from '@dostar/protocol/realtime';
import { waitFor } from '@dostar/tools/servers';
import { WebSocket } from 'ws';
import { randomAddress } from '@dostar/client/testing/http-browser';
import type { Credentials } from './call.ts';

/** A socket of any client, which records everything that it receives. */
export class ProofSocket implements Disposable {
  readonly frames: ServerFrame[] = [];
  readonly #ws: WebSocket;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data) => this.frames.push(JSON.parse((data as Buffer).toString()) as ServerFrame));
    ws.on('error', () => {});
  }

  /** Returns the status of the refusal, or the open socket. */
  static async open(url: string, { token, origin }: Credentials): Promise<ProofSocket | number> {
    const headers = {
      'x-forwarded-for': randomAddress(),
      ...(token !== undefined && { cookie: `${SESSION_COOKIE}=${token}` }),
      ...(origin !== undefined && origin !== null && { origin }),
    };
    const ws = new WebSocket(url.replace('http', 'ws') + REALTIME_PATH, { headers });
    const socket = new ProofSocket(ws);
    const { promise, resolve, reject } = Promise.withResolvers<ProofSocket | number>();
    ws.once('open', () => resolve(socket));
    ws.once('unexpected-response', (_, reply) => resolve(reply.statusCode ?? 0));
    ws.once('error', reject);
    return promise;
  }

  static async openResumed(url: string, credentials: Credentials): Promise<ProofSocket> {
    const socket = await ProofSocket.open(url, credentials);
    if (typeof socket === 'number') throw new Error(`the socket is refused with ${socket}`);
    socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
    await waitFor(() => socket.frames.some(({ t }) => t === 'resumed'), { what: 'resumed' });
    return socket;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  get bye(): string | undefined {
    const said = this.frames.find((frame) => frame.t === 'bye');
    return said?.reason;
  }

  say(frame: unknown): void {
    this.#ws.send(JSON.stringify(frame));
  }

  /** Waits until the socket has ended, at most for this time. */
  async settle(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (this.isOpen && Date.now() < until) await sleep(10);
  }

  [Symbol.dispose](): void {
    this.#ws.terminate();
  }
}
