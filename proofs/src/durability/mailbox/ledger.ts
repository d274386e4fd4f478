/**
 * The model: which calls were made, how they were answered, and when. It does not know how mailboxes are stored.
 *
 * Time counts events in this process, which runs all clients: it tells whether one answer came before another call.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';

export interface Answer {
  seq: number;
  peerSeq: number;
  /** Missing for an erasure from one's own mailbox, whose answer has only the number. */
  at?: number;
}

export interface Attempt {
  body: string | undefined;
  startedAt: number;
  endedAt: number;
  /** `lost`: the process died or the database was unavailable, so the call may or may not have taken effect. */
  outcome: 'answered' | 'lost' | 'blocked' | 'request_pending';
  answer?: Answer;
}

export interface Message {
  sender: AccountId;
  recipient: AccountId;
  id: MessageId;
  chat: ChatId;
  erases?: { sender: AccountId; id: MessageId };
  attempts: Attempt[];
}

export interface Write<T> {
  value: T;
  startedAt: number;
  /** Infinity if no client learned that it ended. */
  endedAt: number;
}

export type ContactState = 'stranger' | 'accepted' | 'blocked';

export class Ledger {
  #time = 0;
  readonly #answered = new Map<AccountId, number>();
  readonly messages = new Map<string, Message>();
  readonly contacts = new Map<string, Write<ContactState>[]>();
  readonly registers = new Map<string, Write<number>[]>();
  readonly moves: Write<number>[] = [];
  /** The content of each entry when a client first read it. */
  readonly seen = new Map<string, Entry>();
  /** The highest number that a device of each account has acknowledged. */
  readonly acked = new Map<AccountId, number>();
  wasCut = false;
  /** True between a cut and its detection by every process: calls may fail then. */
  isExcused = false;

  tick(): number {
    this.#time += 1;
    return this.#time;
  }

  message(asked: Omit<Message, 'attempts'>): Message {
    const key = `${asked.sender}/${asked.id}`;
    const message = this.messages.get(key) ?? { ...asked, attempts: [] };
    this.messages.set(key, message);
    return message;
  }

  noteAnswer({ sender, recipient }: Message, { seq, peerSeq }: Answer): void {
    this.#answered.set(sender, Math.max(seq, this.highestAnswered(sender)));
    this.#answered.set(recipient, Math.max(peerSeq, this.highestAnswered(recipient)));
  }

  /** The highest number of `owner`'s mailbox in any answer so far. */
  highestAnswered(owner: AccountId): number {
    return this.#answered.get(owner) ?? 0;
  }

  /** The contact states that `owner` may have stored for `peer` between two moments. */
  contactStates(owner: AccountId, peer: AccountId, from: number, to: number): Set<ContactState> {
    return new Set(possible(this.contacts.get(`${owner}/${peer}`) ?? [], from, to));
  }

  hasMoveBetween(from: number, to: number): boolean {
    return this.moves.some((move) => move.startedAt <= to && move.endedAt >= from);
  }
}

/** The values that one of several concurrent writes may have left in place at some moment of the span. */
export function possible<T>(writes: Write<T>[], from: number, to = Infinity): T[] {
  return writes
    .filter((write) => write.startedAt <= to)
    .filter((write) => !writes.some((later) => later.startedAt > write.endedAt && later.endedAt < from))
    .map((write) => write.value);
}

export async function recordWrite<T>(ledger: Ledger, list: Write<T>[], value: T, task: () => Promise<boolean>) {
  const write: Write<T> = { value, startedAt: ledger.tick(), endedAt: Infinity };
  list.push(write);
  if (await task()) write.endedAt = ledger.tick();
}

export function listOf<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
