/** A raw socket of `/v1/realtime` that records all frames. */
import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';

interface Frame {
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into frames freely
  data: any;
}

export class AppwriteSocket {
  readonly frames: Frame[] = [];
  readonly #ws: WebSocket;
  closed: number | undefined;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (text: Buffer) => this.frames.push(readFrame(text.toString())));
    ws.on('close', (code) => (this.closed = code));
  }

  static async open(
    url: string,
    headers: Record<string, string> = {},
    query = 'project=dostar',
  ): Promise<AppwriteSocket> {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, { headers });
    const socket = new AppwriteSocket(ws);
    await once(ws, 'open');
    return socket;
  }

  say(type: string, data?: unknown): void {
    this.#ws.send(JSON.stringify({ type, ...(data !== undefined && { data }) }));
  }

  sendRaw(text: string): void {
    this.#ws.send(text);
  }

  /** Waits for the answer to a ping, which comes after everything before it. */
  async settle(): Promise<void> {
    const before = this.#countPongs();
    this.say('ping');
    await expect.poll(() => this.#countPongs()).toBeGreaterThan(before);
  }

  #countPongs(): number {
    return this.frames.filter(({ type }) => type === 'pong').length;
  }

  close(): void {
    this.#ws.close();
  }

  async heard(isIt: (frame: Frame) => boolean): Promise<Frame> {
    return expect
      .poll(() => this.frames.find(isIt))
      .toBeDefined()
      .then(() => this.frames.find(isIt)!);
  }

  /** Subscribes and waits for the answer: later events are received. */
  async subscribe(subscriptionId: string, channels: string[], queries: string[] = []): Promise<void> {
    this.say('subscribe', [{ subscriptionId, channels, queries }]);
    await this.heard(
      ({ type, data }) =>
        type === 'response' &&
        data.to === 'subscribe' &&
        data.subscriptions.some((each: { subscriptionId: string }) => each.subscriptionId === subscriptionId),
    );
  }

  get events(): Frame['data'][] {
    return this.frames.filter(({ type }) => type === 'event').map(({ data }) => data);
  }

  /** Ids of the documents and files in the events, in order. */
  get ids(): string[] {
    return this.events.map(({ payload }) => payload.$id as string);
  }
}

function readFrame(text: string): Frame {
  const { type, data = {} } = JSON.parse(text) as Frame;
  return { type, data };
}
