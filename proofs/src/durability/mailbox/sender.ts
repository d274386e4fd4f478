/** Sends and erases as clients do, and records each attempt with its outcome in the ledger. */
import { directChat } from '@dostar/protocol/ids';
import type { MessageId } from '@dostar/protocol/ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import { eraseMessage, sendMessage } from '../../../../apps/server/src/features/messaging/mailbox/send-message.ts';
import type { Checks } from './checks.ts';
import { crashDuringSend } from './simulated-crash.ts';
import { PEOPLE } from './history.ts';
import type { Action } from './history.ts';
import type { Answer, Attempt, Ledger, Message } from './ledger.ts';
import type { Person } from './participants.ts';
import { uuidFor } from './uuid-for.ts';
import type { Tally } from './tally.ts';
import { classify } from './classify-error.ts';

type Send = Extract<Action, { kind: 'send' }>;
type Race = Extract<Action, { kind: 'race' }>;
type Burst = Extract<Action, { kind: 'burst' }>;
type Erase = Extract<Action, { kind: 'erase' }>;

/** More turns than fit into a move's pause, which lasts longer on a busy machine. */
const CHAT_TURNS = 25;

export class Sender {
  readonly #people: Person[];
  readonly #ledger: Ledger;
  readonly #checks: Checks;
  readonly #tally: Tally;
  #fresh = 0;

  constructor(people: Person[], ledger: Ledger, checks: Checks, tally: Tally) {
    this.#people = people;
    this.#ledger = ledger;
    this.#checks = checks;
    this.#tally = tally;
  }

  send(ctx: Context, { from, to, slot, bytes, crash }: Send): Promise<void> {
    const message = this.#mail(from, to, String(slot));
    const { sender, recipient } = message;
    if (crash !== 'none') this.#tally.count(`process died ${crash}`);
    return this.#deliver(crashDuringSend(ctx, sender, recipient, crash), message, `${slot}.${bytes}`);
  }

  /** An impatient client: sends one message several times concurrently, to several processes, with different bytes. */
  async race(processes: Context[], { from, to, slot, tries }: Race): Promise<void> {
    const message = this.#mail(from, to, String(slot));
    const offers = Array.from({ length: tries }, (_, index) => {
      return this.#deliver(processes[index % processes.length]!, message, `${slot}, try ${index}`);
    });
    await Promise.all(offers);
  }

  /** Sends many messages concurrently: through one process they share a batch, which locks many mailboxes. */
  async burst(processes: Context[], { from, to, count, process }: Burst): Promise<void> {
    const sends = Array.from({ length: count }, (_, index) => {
      this.#fresh += 1;
      const recipient = to === 'everybody' ? (from + index) % PEOPLE : to;
      const ctx = processes[process === 'all' ? index % processes.length : process]!;
      return this.#deliver(ctx, this.#mail(from, recipient, `fresh ${this.#fresh}`), `burst ${this.#fresh}`);
    });
    await Promise.all(sends);
  }

  /** All senders write to and from `people` through every process, until `isOver`. */
  async chat(processes: Context[], people: number[], isOver: () => boolean): Promise<void> {
    const chatting = processes.map(async (ctx, index) => {
      for (let turn = index; !isOver() && turn < index + CHAT_TURNS; turn++) {
        const [one, other] = [people[turn % people.length]!, turn % PEOPLE];
        const [from, to] = turn % 2 === 0 ? [one, other] : [other, one];
        this.#fresh += 1;
        await this.#deliver(ctx, this.#mail(from, to, `fresh ${this.#fresh}`), `chat ${this.#fresh}`);
      }
    });
    await Promise.all(chatting);
  }

  async erase(ctx: Context, { from, to, slot, reach, crash }: Erase): Promise<void> {
    const target = this.#mail(from, to, String(slot));
    const who = reach === 'recipient' ? target.recipient : target.sender;
    const id = uuidFor(`erase ${reach} ${target.chat} ${target.sender} ${slot}`) as MessageId;
    const erases = { sender: target.sender, id: target.id };
    const recipient = reach === 'everywhere' ? target.recipient : who;
    const erasure = this.#ledger.message({ sender: who, recipient, id, chat: target.chat, erases });
    const everywhere = reach === 'everywhere' ? { everywhere: target.recipient } : {};
    if (crash !== 'none') this.#tally.count(`process died ${crash}`);
    const crashing = crashDuringSend(ctx, who, recipient, crash);
    await this.#attempt(erasure, undefined, async () => {
      const answer = await eraseMessage(crashing, who, { id, chat: target.chat, target: erases, ...everywhere });
      return { peerSeq: answer.seq, ...answer };
    });
  }

  /** After a crash most clients repeat unanswered messages under the same ids; some never do. */
  async offerAgain(processes: Context[]): Promise<void> {
    for (const message of this.#ledger.messages.values()) {
      const last = message.attempts.at(-1);
      if (last?.outcome !== 'lost' || message.erases || message.id.charCodeAt(0) % 2 === 0) continue;
      this.#tally.count('offered again');
      await this.#deliver(processes[message.id.charCodeAt(1) % processes.length]!, message, 'offered again');
    }
  }

  #deliver(ctx: Context, message: Message, text: string): Promise<void> {
    const body = Buffer.from(text).toString('base64url');
    const { sender, recipient: to, id } = message;
    return this.#attempt(message, body, () => sendMessage(ctx, sender, { id, to, body, rings: true }));
  }

  async #attempt(message: Message, body: string | undefined, task: () => Promise<Answer>): Promise<void> {
    const attempt: Attempt = { body, startedAt: this.#ledger.tick(), endedAt: Infinity, outcome: 'lost' };
    this.#tally.count(message.attempts.length > 0 ? 'repeated send' : 'message');
    message.attempts.push(attempt);
    try {
      const { seq, peerSeq, at } = await task();
      attempt.answer = { seq, peerSeq, ...(at !== undefined && { at }) };
      attempt.outcome = 'answered';
      this.#ledger.noteAnswer(message, attempt.answer);
    } catch (error) {
      const { kind, detail } = classify(error);
      const isExcused = kind !== 'wrong' && (kind !== 'away' || this.#ledger.isExcused);
      this.#checks.that('no unexpected error', isExcused, () => `send: ${detail}`);
      if (kind === 'blocked' || kind === 'request_pending') attempt.outcome = kind;
    }
    attempt.endedAt = this.#ledger.tick();
  }

  /** Both directions of a pair use the same id for the same number; they still are two messages (M3). */
  #mail(from: number, to: number, name: string): Message {
    const [sender, recipient] = [this.#people[from]!.account, this.#people[to]!.account];
    const chat = directChat(sender, recipient);
    return this.#ledger.message({ sender, recipient, id: uuidFor(`${chat} ${name}`) as MessageId, chat });
  }
}
