/** State and actions that every component of an open chat can use. */
import type { Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { createContext, use } from 'react';
import type { MessageAction } from './message/list-actions.ts';
import type { DoubtfulLink } from './text/doubtful-link.ts';

export interface ChatContext {
  me: AccountId;
  /** Display name of a person in this chat. */
  nameOf: (account: AccountId) => string;
  /** The peer is a stranger who asks to connect: their media are not fetched. */
  isInert: boolean;
  /** The peer is not an accepted contact: links ask before they open. */
  isStranger: boolean;
  /** The message that a search found, with the words to mark in it. */
  marked: { id: string; words: readonly string[] } | undefined;
  /** Ids of the selected messages; undefined outside selection mode. */
  selection: ReadonlySet<string> | undefined;
  act: (action: MessageAction, message: Message) => void;
  react: (message: Message, emoji: string) => void;
  retry: (message: Message) => void;
  withdraw: (message: Message) => void;
  toggleSelected: (message: Message) => void;
  endSelection: () => void;
  jumpTo: (message: { sender: AccountId; id: string; place?: number }) => void;
  openMedia: (message: Message) => void;
  askAboutLink: (link: DoubtfulLink) => void;
}

const Context = createContext<ChatContext | undefined>(undefined);
export const ChatProvider = Context.Provider;

export function useChat(): ChatContext {
  const chat = use(Context);
  if (chat === undefined) throw new Error('no chat is open here');
  return chat;
}
