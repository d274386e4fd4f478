/** What every part of an open chat may ask, without each part handing it on. */
import type { Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { createContext, use } from 'react';
import type { MessageAction } from './message/list-actions.ts';
import type { DoubtfulLink } from './text/doubtful-link.ts';

export interface ChatContext {
  me: AccountId;
  /** How a person is called here. */
  nameOf: (account: AccountId) => string;
  /** Media of a person who is not accepted yet are not fetched. */
  isInert: boolean;
  /** The other side is not an accepted contact: links ask before they open. */
  isStranger: boolean;
  /** The message that a search has led to, and the words it was found by. */
  marked: { id: string; words: readonly string[] } | undefined;
  /** Messages being selected; missing while none are. */
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
