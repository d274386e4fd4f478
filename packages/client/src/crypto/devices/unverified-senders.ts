import type { AccountId, ChatId } from '@dostar/protocol/ids';

/** The client queries the sender's devices, present and former, at once and then at growing intervals. */
const RETRY_MS = [1_000, 5_000, 30_000, 300_000] as const;

interface UnverifiedSender {
  sender: AccountId;
  chat: ChatId;
  session: string;
  tries: number;
  notBefore: number;
}

/** Messages whose key is here, but whose sending device is not known to belong to their sender. */
export interface UnverifiedSenders {
  add(sender: AccountId, chat: ChatId, session: string): void;
  /** The account whose devices to query next. */
  take(now: number): AccountId | undefined;
  /** The messages of this sender that wait for its devices. */
  listOf(sender: AccountId): { chat: ChatId; session: string }[];
  drop(session: string): void;
  /** When the next query is due. */
  dueAt(): number;
}

export function createUnverifiedSenders(): UnverifiedSenders {
  const unverifiedSenders = new Map<string, UnverifiedSender>();
  const entries = (sender: AccountId): UnverifiedSender[] =>
    [...unverifiedSenders.values()].filter((entry) => entry.sender === sender);
  return {
    add(sender, chat, session) {
      if (!unverifiedSenders.has(session))
        unverifiedSenders.set(session, { sender, chat, session, tries: 0, notBefore: 0 });
    },
    take(now) {
      const due = [...unverifiedSenders.values()].find(({ notBefore }) => notBefore <= now);
      if (due === undefined) return undefined;
      // One query serves all messages of the sender.
      for (const entry of entries(due.sender)) {
        entry.notBefore = now + (RETRY_MS[Math.min(entry.tries, RETRY_MS.length - 1)] ?? 0);
        entry.tries += 1;
      }
      return due.sender;
    },
    listOf: (sender) => entries(sender).map(({ chat, session }) => ({ chat, session })),
    drop: (session) => void unverifiedSenders.delete(session),
    dueAt: () => Math.min(Infinity, ...[...unverifiedSenders.values()].map(({ notBefore }) => notBefore)),
  };
}
