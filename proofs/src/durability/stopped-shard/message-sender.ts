/** Users who keep writing to the stopped shard, repeating each message id until they get an answer. */
import { randomBytes, randomUUID } from 'node:crypto';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Person } from '../../harness/load/messages.ts';

const BODY_BYTES = 450;

export interface Answer {
  /** Time of the call. */
  at: number;
  status: number;
  milliseconds: number;
}

export interface OutgoingMessage {
  id: string;
  from: Person;
  to: Person;
}

export class MessageSender {
  readonly answers: Answer[] = [];
  readonly acknowledged: OutgoingMessage[] = [];
  readonly #url: string;
  readonly #waiting: OutgoingMessage[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #choose: () => [Person, Person];
  #timer: NodeJS.Timeout | undefined;

  /** `choose` returns a sender and a recipient, at least one of them on the stopped shard. */
  constructor(url: string, choose: () => [Person, Person]) {
    this.#url = url;
    this.#choose = choose;
  }

  start(perSecond: number): void {
    this.#timer = setInterval(() => this.#write(), 1000 / perSecond);
  }

  /** Stops writing new messages and repeats unanswered ones until they are answered. */
  async finish(giveUpAt: number): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    while (this.#waiting.length > 0 && performance.now() < giveUpAt) {
      await Promise.all(this.#waiting.splice(0).map((message) => this.#send(message)));
    }
  }

  get unanswered(): number {
    return this.#waiting.length;
  }

  #write(): void {
    const [from, to] = this.#choose();
    const sending = this.#send({ id: randomUUID(), from, to }).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send(message: OutgoingMessage): Promise<void> {
    const at = performance.now();
    // The server may close an idle connection during a call, as in production: the message is sent again.
    const status = await this.#call(message).catch(() => undefined);
    if (status !== undefined) this.answers.push({ at, status, milliseconds: performance.now() - at });
    if (status === 200) this.acknowledged.push(message);
    else this.#waiting.push(message);
  }

  async #call({ id, from, to }: OutgoingMessage): Promise<number> {
    const reply = await fetch(this.#url + sendMessage.path, {
      method: sendMessage.method,
      headers: {
        [CALL_HEADER]: '1',
        cookie: `${SESSION_COOKIE}=${from.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ id, to: to.account, body: randomBytes(BODY_BYTES).toString('base64url') }),
      signal: AbortSignal.timeout(20_000),
    });
    await reply.arrayBuffer();
    return reply.status;
  }
}
