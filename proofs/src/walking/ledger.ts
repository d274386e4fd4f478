/** What the devices of one run saw on the wire, as opposed to what they have stored. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';

export interface WireFigures {
  written: number;
  acknowledged: number;
  arrived: number;
  /** From being written to the recipient's socket, in milliseconds. */
  latencies: number[];
  /** Attempts beyond the first of each message. */
  retries: number;
  /** Answers that were given and thrown away before the client saw them. */
  lostAnswers: number;
  reconnects: number;
  /** The longest any device went without a conversation once it had had one, in milliseconds. */
  longestAway: number;
  /** The longest a message waited for its answer. */
  longestUnanswered: number;
  /** How conversations ended, by reason. */
  endings: Record<string, number>;
}

export class Ledger {
  readonly #written = new Map<string, number>();
  readonly #acknowledged = new Set<string>();
  readonly #arrived = new Set<string>();
  readonly figures: WireFigures = {
    written: 0,
    acknowledged: 0,
    arrived: 0,
    latencies: [],
    retries: 0,
    lostAnswers: 0,
    reconnects: 0,
    longestAway: 0,
    longestUnanswered: 0,
    endings: {},
  };

  write(from: AccountId, chat: ChatId, number: number): void {
    this.#written.set(keyOf(from, chat, number), performance.now());
    this.figures.written += 1;
  }

  /** By an answer, or by the own copy that comes back instead of a lost one. */
  acknowledge(from: AccountId, chat: ChatId, number: number): void {
    const key = keyOf(from, chat, number);
    if (this.#acknowledged.has(key)) return;
    this.#acknowledged.add(key);
    this.figures.acknowledged += 1;
    this.figures.longestUnanswered = Math.max(this.figures.longestUnanswered, this.#sinceWritten(key));
  }

  /** Seen again after a reconnect it counts once (SPEC R3). */
  arrive(from: AccountId, chat: ChatId, number: number): void {
    const key = keyOf(from, chat, number);
    if (this.#arrived.has(key)) return;
    this.#arrived.add(key);
    this.figures.arrived += 1;
    this.figures.latencies.push(this.#sinceWritten(key));
  }

  end(reason: string): void {
    this.figures.endings[reason] = (this.figures.endings[reason] ?? 0) + 1;
  }

  #sinceWritten(key: string): number {
    return performance.now() - (this.#written.get(key) ?? Number.NaN);
  }
}

function keyOf(from: AccountId, chat: ChatId, number: number): string {
  return `${from}/${chat}/${number}`;
}
