/** What the devices of one run received over the network, as opposed to what they have stored. */
import type { ChatId } from '@dostar/protocol/ids';
import { type Probe, now } from './probe.ts';

export interface NetworkFigures {
  acknowledged: number;
  arrived: number;
  /** Milliseconds from writing a message to its arrival on the recipient's socket. */
  latencies: number[];
  /** Attempts beyond the first of each message. */
  retries: number;
  /** Answers that were dropped before the client received them. */
  lostAnswers: number;
  reconnects: number;
  /** How often a gateway told a device to resync from nothing. */
  resets: number;
  /** The longest time that any device was disconnected after its first connection, in milliseconds. */
  longestAway: number;
  /** The longest time that a message waited for its answer. */
  longestUnanswered: number;
  /** How connections ended, by reason. */
  endings: Record<string, number>;
}

export class Ledger {
  readonly #acknowledged = new Set<string>();
  readonly #arrived = new Set<string>();
  readonly figures: NetworkFigures = {
    acknowledged: 0,
    arrived: 0,
    latencies: [],
    retries: 0,
    lostAnswers: 0,
    reconnects: 0,
    resets: 0,
    longestAway: 0,
    longestUnanswered: 0,
    endings: {},
  };

  /** Called for an answer, or for the sender's own copy on the socket if the answer was lost. */
  acknowledge(chat: ChatId, { number, writtenAt }: Probe): void {
    const key = `${chat}/${number}/${writtenAt}`;
    if (this.#acknowledged.has(key)) return;
    this.#acknowledged.add(key);
    this.figures.acknowledged += 1;
    this.figures.longestUnanswered = Math.max(this.figures.longestUnanswered, now() - writtenAt);
  }

  /** Counts an entry once, also if it comes again after a reconnect (SPEC R3). */
  arrive(chat: ChatId, { number, writtenAt }: Probe): void {
    const key = `${chat}/${number}/${writtenAt}`;
    if (this.#arrived.has(key)) return;
    this.#arrived.add(key);
    this.figures.arrived += 1;
    this.figures.latencies.push(now() - writtenAt);
  }

  end(reason: string): void {
    this.figures.endings[reason] = (this.figures.endings[reason] ?? 0) + 1;
  }
}

export function addFigures(one: NetworkFigures, other: NetworkFigures): NetworkFigures {
  const endings = { ...one.endings };
  for (const [reason, times] of Object.entries(other.endings)) endings[reason] = (endings[reason] ?? 0) + times;
  return {
    acknowledged: one.acknowledged + other.acknowledged,
    arrived: one.arrived + other.arrived,
    latencies: [...one.latencies, ...other.latencies],
    retries: one.retries + other.retries,
    lostAnswers: one.lostAnswers + other.lostAnswers,
    reconnects: one.reconnects + other.reconnects,
    resets: one.resets + other.resets,
    longestAway: Math.max(one.longestAway, other.longestAway),
    longestUnanswered: Math.max(one.longestUnanswered, other.longestUnanswered),
    endings,
  };
}
