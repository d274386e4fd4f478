import type { ChatSummary, Client, Contact, Live, Message } from '@dostar/client';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { answerId } from './message-ids.ts';
import { runAssistant } from './run-assistant.ts';

const account = '0192d5a0-0000-7000-8000-000000000001' as AccountId;
const asker = '0192d5a0-0000-7000-8000-000000000002' as AccountId;
const chat = directChat(account, asker);

test('a question that the server places before the answer to an earlier one is answered too', async () => {
  const first = says(asker, '0192d5a0-1000-7000-8000-000000000001', 4);
  const second = says(asker, '0192d5a0-1000-7000-8000-000000000002', 5);
  const answer = says(account, answerId(asker, first.id), 6);
  let log = [first];
  const listHistory = vi.fn(async () => log);
  const sendMessage = vi.fn(async () => {
    log = [first, answer];
  });
  const chats = live<ChatSummary[]>([summarise(first, 1, 0)]);
  const client = {
    live: {
      contacts: () => live([{ id: asker, state: 'accepted', peerAccepts: false } as Contact]),
      chats: () => chats,
      progress: () => live(undefined),
      connection: () => live({ state: 'online', isCaughtUp: true }),
    },
    keys: { onChange: () => {}, identityOf: async () => 'known' },
    listHistory,
    sendMessage,
    markRead: async () => {},
  } as unknown as Client;
  void runAssistant({ account, client, site: 'https://chat.example', model: undefined, log: () => {} });
  await vi.waitFor(() => expect(sendMessage).toHaveBeenCalledOnce(), 60_000);
  listHistory.mockClear();
  chats.show([summarise(answer, 0, first.seq)]);
  await vi.waitFor(() => expect(listHistory).toHaveBeenCalled(), 60_000);

  // The server placed the question before the answer, but the client receives it after the answer.
  log = [first, second, answer];
  chats.show([summarise(answer, 1, first.seq)]);
  const wanted = expect.objectContaining({ id: answerId(asker, second.id) });
  await vi.waitFor(() => expect(sendMessage).toHaveBeenLastCalledWith(wanted), 60_000);
});

function says(sender: AccountId, id: string, seq: number): Message & { seq: number } {
  return { sender, id, chat, seq, shows: { state: 'content', content: { kind: 'text', text: 'Hello' } } } as never;
}

function summarise(last: Message, unread: number, readUpTo: number): ChatSummary {
  return { chat, peer: asker, last, unread, readUpTo } as ChatSummary;
}

function live<T>(shown: T): Live<T> & { show: (next: T) => void } {
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(next) {
      shown = next;
      for (const listener of listeners) listener();
    },
  };
}
