/**
 * Texts that this tab is sending, shown from memory while the database writes them: a bubble must not wait for a disk.
 *
 * The stored message replaces the optimistic one of the same id, in the same place; the two are never shown together. A
 * text whose write failed stays, marked as not saved. The person can send it again or drop it; it is lost with the tab.
 */
import type { Content } from '@dostar/protocol/content/kinds';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { createListeners } from '../../lib/listeners.ts';
import { FIRST_WAITING } from '../../storage/rows.ts';
import type { Message, Quote } from '../timeline/view.ts';

export interface UnsavedText {
  to: AccountId;
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  at: number;
  content: Extract<Content, { kind: 'text' }>;
}

export interface OptimisticMessage extends UnsavedText {
  /** `saved` counts the successful writes: a read that begins after them includes the stored message. */
  state: { kind: 'saving' } | { kind: 'saved'; saved: number } | { kind: 'unsaved' };
}

export interface OptimisticMessages {
  show(text: UnsavedText): void;
  markSaved(id: MessageId): void;
  markUnsaved(id: MessageId): void;
  /** Undefined if no write of this message has failed. */
  findUnsaved(id: MessageId): UnsavedText | undefined;
  /** Forgets a text whose write failed; false if there is none. */
  drop(id: MessageId): boolean;
  /** In the order of sending. */
  listOf(chat: ChatId): readonly OptimisticMessage[];
  /** How many writes have succeeded so far. */
  countSaved(): number;
  subscribe(listener: () => void): () => void;
}

/** A saved text stays until this many later texts are saved: by then every view has read the database again. */
const MAX_SAVED = 50;

export function createOptimisticMessages(): OptimisticMessages {
  const entries = new Map<MessageId, OptimisticMessage>();
  const listeners = createListeners<void>();
  let saved = 0;

  function setState(id: MessageId, state: OptimisticMessage['state']): void {
    const entry = entries.get(id);
    if (entry !== undefined) entries.set(id, { ...entry, state });
    listeners.tell();
  }

  return {
    show(text) {
      entries.set(text.id, { ...text, state: { kind: 'saving' } });
      listeners.tell();
    },
    markSaved(id) {
      saved += 1;
      setState(id, { kind: 'saved', saved });
      for (const { id: old, state } of entries.values()) {
        if (state.kind === 'saved' && state.saved <= saved - MAX_SAVED) entries.delete(old);
      }
    },
    markUnsaved: (id) => setState(id, { kind: 'unsaved' }),
    findUnsaved(id) {
      const entry = entries.get(id);
      return entry?.state.kind === 'unsaved' ? entry : undefined;
    },
    drop(id) {
      if (entries.get(id)?.state.kind !== 'unsaved') return false;
      entries.delete(id);
      listeners.tell();
      return true;
    },
    listOf: (chat) => [...entries.values()].filter((entry) => entry.chat === chat),
    countSaved: () => saved,
    subscribe: listeners.add,
  };
}

/** Adds the texts that the stored messages do not include yet: their read began after `known` writes had succeeded. */
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

/**
 * Undefined if the quoted message is not among the shown ones: the bubble would change its height when the quote loads.
 */
function toMessage(entry: OptimisticMessage, before: readonly Message[]): Message | undefined {
  const { chat, sender, id, at, content, state } = entry;
  const { replyTo } = content;
  const quoted = replyTo && before.find((one) => one.sender === replyTo.sender && one.id === replyTo.id);
  if (replyTo !== undefined && quoted === undefined) return undefined;
  return {
    chat,
    sender,
    id,
    at,
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
