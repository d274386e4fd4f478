/** Two users: one writes through the balancer, the other one listens through it and reconnects when asked to. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendMessage } from '@dostar/protocol/contract/messages';
import type { MessageId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { waitFor } from '@dostar/tools/servers';
import { callServer, newMessageId, TestSocket } from '../../../../apps/server/test/test-cluster.ts';
import type { Person } from '../../../../apps/server/test/test-cluster.ts';

const PAUSE_MS = 150;
/** Messages that are not counted: the processes open their connections to the databases. */
const WARM_UP = 5;
const ARRIVES_WITHIN_MS = 60_000;

interface SentMessage {
  id: MessageId;
  /** When the server had stored it. */
  at: number;
}

export class Pair {
  /** Status or error of each call that was not answered with 200, and of each refused socket. */
  readonly failures: string[] = [];
  readonly sent: SentMessage[] = [];
  readonly #url: string;
  readonly #from: Person;
  readonly #to: Person;
  readonly #arrivedAt = new Map<string, number>();
  #cursor: Cursor;
  #isOver = false;
  #writing: Promise<void> | undefined;
  #listening: Promise<void> | undefined;
  #socket: TestSocket | undefined;

  constructor(url: string, from: Person, to: Person & { cursor: Cursor }) {
    this.#url = url;
    this.#from = from;
    this.#to = to;
    this.#cursor = to.cursor;
  }

  /** Resolves once the recipient is connected and messages are stored. */
  async start(): Promise<void> {
    this.#listening = this.#listen();
    await waitFor(() => this.#socket?.all('resumed').length, { what: 'a recipient to be connected' });
    for (let count = 0; count < WARM_UP; count++) {
      await waitFor(async () => (await this.#send(newMessageId())) === 200, { what: 'a message to be stored' });
    }
    this.#writing = this.#write();
  }

  /** Waits until everything that was acknowledged has arrived, and returns the longest way of a message in milliseconds. */
  async finish(): Promise<number> {
    this.#isOver = true;
    await this.#writing;
    const haveArrived = (): boolean => this.sent.every(({ id }) => this.#arrivedAt.has(id));
    await waitFor(haveArrived, { what: 'all messages', timeoutMs: ARRIVES_WITHIN_MS }).catch(() => {});
    this.#socket?.ws.close();
    await this.#listening;
    return Math.max(0, ...this.sent.map(({ id, at }) => (this.#arrivedAt.get(id) ?? Infinity) - at));
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const id = newMessageId();
      const status = await this.#send(id);
      if (status === 200) this.sent.push({ id, at: performance.now() });
      else this.failures.push(`a call: ${status}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Returns the status of the answer, or why there is none. */
  async #send(id: MessageId): Promise<number | string> {
    const body = randomBytes(200).toString('base64url');
    return callServer(this.#url, sendMessage, this.#from, { id, to: this.#to.account, body }).then(
      (answer) => answer.status,
      (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
    );
  }

  async #listen(): Promise<void> {
    while (!this.#isOver) {
      const socket = await TestSocket.open(this.#url, this.#to).catch((error: Error) => {
        this.failures.push(`a socket: ${error.message}`);
      });
      if (!socket) {
        await sleep(PAUSE_MS);
        continue;
      }
      this.#socket = socket;
      if (this.#isOver) socket.ws.close();
      socket.ws.on('message', () => this.#note(socket));
      socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: this.#cursor });
      await socket.closed;
      // A client waits as long as `bye` says.
      await sleep(socket.all('bye')[0]?.afterMs ?? 0);
    }
  }

  #note(socket: TestSocket): void {
    const frame = socket.frames.at(-1);
    if (frame?.t !== 'entry') return;
    this.#cursor = { ...this.#cursor, seq: frame.entry.seq };
    this.#arrivedAt.set(frame.entry.id, performance.now());
  }
}
