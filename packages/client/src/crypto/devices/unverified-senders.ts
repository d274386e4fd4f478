import type { AccountId, ChatId } from '@dostar/protocol/ids';

/** The sender's devices, present and former, are asked for at once, then ever less often. */
const RETRY_MS = [1_000, 5_000, 30_000, 300_000] as const;

interface Doubt {
  sender: AccountId;
  chat: ChatId;
  session: string;
  tries: number;
  notBefore: number;
}

/** Mail whose key is here, from a device that is not known to be its sender's. */
export interface Doubts {
  add(sender: AccountId, chat: ChatId, session: string): void;
  /** Whose devices to ask for next. */
  take(now: number): AccountId | undefined;
  /** What waits for news of this account. */
  listOf(sender: AccountId): { chat: ChatId; session: string }[];
  drop(session: string): void;
  /** When the next one is due. */
  dueAt(): number;
}

export function createDoubts(): Doubts {
  const doubts = new Map<string, Doubt>();
  const ofSender = (sender: AccountId): Doubt[] => [...doubts.values()].filter((doubt) => doubt.sender === sender);
  return {
    add(sender, chat, session) {
      if (!doubts.has(session)) doubts.set(session, { sender, chat, session, tries: 0, notBefore: 0 });
    },
    take(now) {
      const due = [...doubts.values()].find(({ notBefore }) => notBefore <= now);
      if (due === undefined) return undefined;
      // One answer is for all of them.
      for (const doubt of ofSender(due.sender)) {
        doubt.notBefore = now + (RETRY_MS[Math.min(doubt.tries, RETRY_MS.length - 1)] ?? 0);
        doubt.tries += 1;
      }
      return due.sender;
    },
    listOf: (sender) => ofSender(sender).map(({ chat, session }) => ({ chat, session })),
    drop: (session) => void doubts.delete(session),
    dueAt: () => Math.min(Infinity, ...[...doubts.values()].map(({ notBefore }) => notBefore)),
  };
}
