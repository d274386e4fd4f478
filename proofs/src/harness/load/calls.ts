/** Sends over keep-alive HTTP connections, one call at a time on each, with requests put together from prepared parts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { LoadSetup } from './messages.ts';

const BODY_BYTES = 450;

interface CallObserver {
  sent: (id: string, to: string, at: number) => void;
  answered: (id: string, isAccepted: boolean, at: number) => void;
}

interface Connection {
  socket: Socket;
  isBusy: boolean;
  id: string;
  at: number;
}

export class Calls {
  readonly #setup: LoadSetup;
  readonly #observer: CallObserver;
  readonly #accounts: string[];
  readonly #heads: string[];
  readonly #body = randomBytes(BODY_BYTES).toString('base64url');
  readonly #connections: Connection[] = [];
  /** Used in turn: the server would close a connection as idle if it were never chosen. */
  #free: Connection[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #rate = 0;

  constructor(setup: LoadSetup, observer: CallObserver) {
    this.#setup = setup;
    this.#observer = observer;
    this.#accounts = setup.people.map((person) => person.account);
    const length = this.#write(randomUUID(), randomUUID()).length;
    this.#heads = setup.people.map((person) =>
      [
        `${sendMessage.method} ${sendMessage.path} HTTP/1.1`,
        'host: proof',
        `cookie: ${SESSION_COOKIE}=${person.token}`,
        `${CALL_HEADER}: 1`,
        'content-type: application/json',
        `content-length: ${length}`,
        '\r\n',
      ].join('\r\n'),
    );
  }

  async open(): Promise<void> {
    for (let index = 0; index < this.#setup.connections; index++) {
      const socket = connect({ port: this.#setup.apiPort, host: '127.0.0.1', noDelay: true });
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', () => resolve()).once('error', reject);
      });
      const connection: Connection = { socket, isBusy: false, id: '', at: 0 };
      socket.on('data', (data) => this.#answer(connection, data));
      socket.on('close', () => process.exit(3));
      this.#connections.push(connection);
    }
  }

  start(rate: number): void {
    this.#isRunning = true;
    this.#rate = rate;
    this.#free = [...this.#connections];
    if (rate === 0) for (const connection of this.#connections) this.#send(connection);
    else this.#pace(performance.now());
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    const giveUpAt = performance.now() + 10_000;
    while (this.#connections.some((connection) => connection.isBusy) && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #pace(due: number): void {
    const now = performance.now();
    let next = due;
    while (next <= now) {
      const connection = this.#free.shift();
      // All connections wait for an answer: due calls stay due, and their delay counts against the server.
      if (!connection) break;
      this.#send(connection, next);
      next += 1000 / this.#rate;
    }
    this.#timer = setTimeout(() => this.#pace(next), 1);
  }

  /** `due`: when the call should have been sent, so that waiting for a free connection counts as latency. */
  #send(connection: Connection, due = performance.now()): void {
    const from = Math.floor(Math.random() * this.#accounts.length);
    const other = Math.floor(Math.random() * (this.#accounts.length - 1));
    const to = this.#accounts[other >= from ? other + 1 : other]!;
    connection.isBusy = true;
    connection.id = randomUUID();
    connection.at = due;
    this.#observer.sent(connection.id, to, due);
    connection.socket.write(this.#heads[from]! + this.#write(connection.id, to), 'latin1');
  }

  #write(id: string, to: string): string {
    return `{"id":"${id}","to":"${to}","body":"${this.#body}"}`;
  }

  #answer(connection: Connection, data: Buffer): void {
    // Answers are far smaller than a TCP segment, and there is one at a time.
    const isAccepted = data.toString('latin1', 9, 12) === '200';
    connection.isBusy = false;
    this.#observer.answered(connection.id, isAccepted, connection.at);
    if (this.#rate > 0) this.#free.push(connection);
    else if (this.#isRunning) this.#send(connection);
  }
}
