/**
 * What this tab has just been told to send, shown from memory while the database writes it: a bubble must not wait for a
 * disk.
 *
 * Promise: an echo gives way to the stored message of the same id, in the same place, and never stands beside it. One
 * whose write has failed stays, says so, and can be tried again or dropped; until then it exists in this tab only.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { FIRST_WAITING } from '../../storage/rows.ts';
import type { ShownContent } from '../timeline/fold.ts';
import type { Message, Quote } from '../timeline/view.ts';

interface NewMessage {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  at: number;
  content: ShownContent;
}

export interface OptimisticMessage extends NewMessage {
  /** `saved` counts the writes that have succeeded: a read begun after it knows better than memory. */
  state: { kind: 'saving' } | { kind: 'saved'; saved: number } | { kind: 'unsaved' };
}

export interface OptimisticMessages {
  /** Shows it at once and writes it; throws what the writing threw. */
  add(message: NewMessage, save: () => Promise<void>): Promise<void>;
  /** Writes again what could not be written; false if there is none such. */
  retry(id: MessageId): Promise<boolean>;
  /** Forgets what could not be written; false if there is none such. */
  drop(id: MessageId): boolean;
  /** In the order said. */
  listOf(chat: ChatId): readonly OptimisticMessage[];
  /** How many have been written so far. */
  countSaved(): number;
  subscribe(listener: () => void): () => void;
}

/** A view that has not read since keeps the echo in its place; after so many more it surely has. */
const MAX_SAVED = 50;

export function createOptimisticMessages(): OptimisticMessages {
  const optimisticMessages = new Map<MessageId, OptimisticMessage>();
  const saves = new Map<MessageId, () => Promise<void>>();
  const listeners = new Set<() => void>();
  let saved = 0;
  let latest = Promise.resolve();

  async function write(message: NewMessage, save: () => Promise<void>): Promise<void> {
    set({ ...message, state: { kind: 'saving' } });
    // One after the other: encrypting takes its time, and what was said second must not be written first.
    const turn = latest.then(save);
    latest = turn.catch(() => {});
    try {
      await turn;
    } catch (error) {
      saves.set(message.id, save);
      set({ ...message, state: { kind: 'unsaved' } });
      throw error;
    }
    saves.delete(message.id);
    saved += 1;
    set({ ...message, state: { kind: 'saved', saved } });
    forgetOld();
  }

  function set(entry: OptimisticMessage): void {
    optimisticMessages.set(entry.id, entry);
    tell();
  }

  function forgetOld(): void {
    for (const { id, state } of optimisticMessages.values()) {
      if (state.kind === 'saved' && state.saved <= saved - MAX_SAVED) optimisticMessages.delete(id);
    }
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  return {
    add: write,
    async retry(id) {
      const entry = optimisticMessages.get(id);
      const save = saves.get(id);
      if (entry?.state.kind !== 'unsaved' || save === undefined) return false;
      const { state: _, ...message } = entry;
      await write(message, save);
      return true;
    },
    drop(id) {
      if (optimisticMessages.get(id)?.state.kind !== 'unsaved') return false;
      saves.delete(id);
      optimisticMessages.delete(id);
      tell();
      return true;
    },
    listOf: (chat) => [...optimisticMessages.values()].filter((entry) => entry.chat === chat),
    countSaved: () => saved,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The end of a chat with the echoes that the reads up to `known` could not know of. */
export function withOptimisticMessages(
  messages: Message[],
  optimisticMessages: readonly OptimisticMessage[],
  known: number,
): Message[] {
  const all = [...messages];
  const ids = new Set(messages.map(({ id }) => id));
  for (const entry of optimisticMessages) {
    if (ids.has(entry.id) || (entry.state.kind === 'saved' && entry.state.saved <= known)) continue;
    const message = toMessage(entry, all);
    if (message !== undefined) all.push(message);
  }
  return all.length === messages.length ? messages : all;
}

/** Undefined if it answers something that is not in sight: an empty quotation that fills itself would jump. */
function toMessage({ content, state, ...message }: OptimisticMessage, before: readonly Message[]): Message | undefined {
  const replyTo = 'replyTo' in content ? content.replyTo : undefined;
  const quoted = replyTo && before.find(({ sender, id }) => sender === replyTo.sender && id === replyTo.id);
  if (replyTo !== undefined && quoted === undefined) return undefined;
  return {
    ...message,
    place: Math.max(FIRST_WAITING, 1 + (before.at(-1)?.place ?? 0)),
    shows: { state: 'content', content },
    reactions: [],
    isPinned: false,
    isStarred: false,
    status: state.kind === 'unsaved' ? 'failed' : 'sending',
    trust: 'own',
    ...(quoted !== undefined && { quote: toQuote(quoted) }),
    ...(state.kind === 'unsaved' && { isUnsaved: true }),
  };
}

function toQuote({ sender, id, shows, place }: Message): Quote {
  return { sender, id, shows, place };
}
