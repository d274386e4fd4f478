/**
 * The model: what was asked, what was answered, and when. It knows nothing of how mailboxes are kept.
 *
 * Time is a count of events in this process, which sees all clients: if one answer came before another call,
 * the numbers say so.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';

export interface Answer {
  seq: number;
  peerSeq: number;
  /** An erasure from one's own mailbox is answered with its number only. */
  at?: number;
}

export interface Attempt {
  body: string | undefined;
  startedAt: number;
  endedAt: number;
  /** `lost`: the process died or the engine went away, so anything may have happened. */
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
  /** What clients have read: the first sight of each entry. */
  readonly seen = new Map<string, Entry>();
  /** How far devices have acknowledged. */
  readonly acked = new Map<AccountId, number>();
  wasCut = false;
  /** From a cut until all have noticed it an engine may be down for a moment. */
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

  /** The highest number in `owner`'s mailbox that has been named in an answer so far. */
  highestAnswered(owner: AccountId): number {
    return this.#answered.get(owner) ?? 0;
  }

  /** What `owner` may have thought of `peer` between two moments. */
  contactStates(owner: AccountId, peer: AccountId, from: number, to: number): Set<ContactState> {
    return new Set(possible(this.contacts.get(`${owner}/${peer}`) ?? [], from, to));
  }

  hasMoveBetween(from: number, to: number): boolean {
    return this.moves.some((move) => move.startedAt <= to && move.endedAt >= from);
  }
}

/** Of concurrent writes to one place, those whose value may have been there at some moment of the span. */
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
