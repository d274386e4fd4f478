/** The chat list: contacts and requests, each with its newest message and its number of unread messages. */
import { type ContactUser, type LastMessage, MAX_UNREAD } from '@dostar/protocol/contract/contacts';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { listLabels } from '../../operations/assistants/service.ts';
import { listChatHeads } from '../../messaging/mailbox/service.ts';
import { listLastSeen } from '../../messaging/presence/service.ts';
import { listProfileCards } from '../profiles/service.ts';
import { listCardsOf } from '../users/service.ts';
import { listShowingLastSeen } from './service.ts';
import { toRecord } from './contact-state.ts';
import { listContacts } from './store.ts';

/** More than a user scrolls through; newest first. */
const MAX_LISTED = 1_000;

export async function listContactUsers(ctx: Context, owner: AccountId): Promise<ContactUser[]> {
  const contacts = await ctx.shards.of(owner).query((db) => listContacts(db, owner, MAX_LISTED));
  const peers = contacts.map(({ peer }) => peer);
  const chats = peers.map((peer) => directChat(owner, peer));
  const [cards, profiles, heads, showing, label] = await Promise.all([
    listCardsOf(ctx, peers),
    listProfileCards(ctx, owner, peers),
    listChatHeads(ctx, owner, chats, MAX_UNREAD),
    listShowingLastSeen(ctx, owner, peers),
    listLabels(ctx, owner),
  ]);
  const lastSeen = await listLastSeen(ctx, showing);
  return contacts.map((contact, index) => {
    const { peer } = contact;
    const [card, seen, head] = [cards.get(peer), lastSeen.get(peer), heads.get(chats[index]!)];
    return {
      id: peer,
      username: card?.username ?? null,
      publicKey: card?.publicKey ?? null,
      ...profiles.get(peer),
      ...label(peer, card),
      isVerified: card !== undefined && card.verifiedAt !== null,
      lastOnline: seen === undefined ? null : new Date(seen).toISOString(),
      contact: toRecord(contact),
      lastMessage: head?.last ? toLastMessage(head.last, owner, peer) : null,
      unread: { number: head?.unread ?? 0, isThere: (head?.unread ?? 0) > 0 },
    };
  });
}

function toLastMessage(entry: Entry, owner: AccountId, peer: AccountId): z.infer<typeof LastMessage> {
  const { id, chat, sender, at, seq } = entry;
  return {
    $id: id,
    chatId: chat,
    senderId: sender,
    receiverId: sender === owner ? peer : owner,
    timestamp: new Date(at).toISOString(),
    seq,
    ...(entry.kind === 'mail' && entry.body !== undefined && { body: entry.body }),
  };
}
