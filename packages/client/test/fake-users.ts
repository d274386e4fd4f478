import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import type { ContactUser } from '@dostar/protocol/contract/contacts';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';

/** The newest message of each chat that has a message of another user. */
export function listUsers(log: readonly Entry[], account: AccountId): ContactUser[] {
  const newest = new Map<ChatId, Entry & { kind: 'mail' }>();
  const peers = new Map<ChatId, AccountId>();
  for (const entry of log) {
    if (entry.kind === 'mail') newest.set(entry.chat, entry);
    if (entry.sender !== account) peers.set(entry.chat, entry.sender);
  }
  return [...peers].flatMap(([chat, peer]) => {
    const entry = newest.get(chat);
    return entry === undefined ? [] : [toUser(entry, account, peer)];
  });
}

function toUser(entry: Entry & { kind: 'mail' }, account: AccountId, peer: AccountId): ContactUser {
  const { id, chat, sender, seq, at, body } = entry;
  return {
    id: peer,
    username: null,
    publicKey: null,
    isVerified: false,
    lastOnline: null,
    contact: {
      state: 'accepted',
      peerAccepts: true,
      ...DEFAULT_SERVER_PREFERENCES,
      since: 0,
    },
    lastMessage: {
      $id: id,
      chatId: chat,
      senderId: sender,
      receiverId: sender === account ? peer : account,
      timestamp: new Date(at).toISOString(),
      seq,
      ...(body !== undefined && { body }),
    },
    unread: { number: 0, isThere: false },
  };
}
