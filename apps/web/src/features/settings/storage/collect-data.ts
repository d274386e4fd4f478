import type { Client, Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import type { Translate } from '../../../core/i18n/translator.ts';
import type { People } from '../../../core/messenger/people.ts';
import { previewMessage } from '../../../core/messenger/preview-message.ts';

/** Format of the exported JSON file, readable without this app. */
export interface OwnData {
  account: { id: string; username?: string };
  exportedAt: string;
  contacts: { id: string; username?: string; alias?: string }[];
  chats: OwnChat[];
}

interface OwnChat {
  /** Display name of the peer; null if unknown. */
  with: string | null;
  messages: OwnMessage[];
}

interface OwnMessage {
  from: 'me' | 'them';
  at: string;
  text: string;
  isEdited?: true;
  /** File metadata; the export does not contain the file itself. */
  file?: { name?: string; type: string; size: number };
  reactions?: string[];
}

interface Collecting {
  account: { id: string; username: string | undefined };
  say: Translate<'said'>;
  onCount: (count: number) => void;
}

export async function collectData(
  client: Client,
  people: People,
  { account, say, onCount }: Collecting,
): Promise<OwnData> {
  const chats = new Map<string, OwnChat>();
  let count = 0;
  for await (const { chat, peer, messages } of client.exportChats()) {
    const known = chats.get(chat) ?? { with: (peer && people.nameOf(peer)) ?? null, messages: [] };
    known.messages.push(...messages.map((message) => toOwn(message, account.id as AccountId, say)));
    chats.set(chat, known);
    count += messages.length;
    onCount(count);
  }
  return {
    account: { id: account.id, ...(account.username !== undefined && { username: account.username }) },
    exportedAt: new Date().toISOString(),
    contacts: people.all.map(({ id, username, alias }) => ({
      id,
      ...(username && { username }),
      ...(alias !== null && { alias }),
    })),
    chats: [...chats.values()],
  };
}

function toOwn({ sender, at, shows, editedAt, reactions }: Message, me: AccountId, say: Collecting['say']): OwnMessage {
  const content = shows.state === 'content' ? shows.content : undefined;
  const file = content?.kind === 'media' ? content.media : content?.kind === 'voice' ? content.voice : undefined;
  return {
    from: sender === me ? 'me' : 'them',
    at: new Date(at).toISOString(),
    // A text message keeps its line breaks.
    text: content?.kind === 'text' ? content.text : previewMessage(shows, say),
    ...(editedAt !== undefined && { isEdited: true }),
    ...(file !== undefined && {
      file: { type: file.type, size: file.size, ...('name' in file && file.name !== undefined && { name: file.name }) },
    }),
    ...(reactions.length > 0 && { reactions: reactions.map(({ emoji }) => emoji) }),
  };
}
