/** What this device can say about a chat by itself: whose it is. Nothing is opened for it. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { AtRest } from '../storage/at-rest.ts';
import { addAliases, findAliasRows } from '../contacts/aliases.ts';
import { findContact } from '../contacts/store.ts';
import type { Db } from '../storage/open.ts';
import { tagOfChat } from './tag-of-chat.ts';

export interface ChatLabel {
  chat: ChatId;
  peer?: AccountId;
  /** As the chat list calls them. */
  name?: string;
  /** For the address of the chat. */
  username?: string;
  /** In milliseconds since 1970; 0: not muted. */
  mutedUntil: number;
  /** The app is locked: its pages do not show the message. */
  isLocked?: true;
}

/** Undefined for a chat that this device has never heard of, as a stranger's first message. */
export async function findChatLabel(
  db: Db,
  account: AccountId,
  atRest: AtRest,
  tagged: { tag: string; tagKey: string },
): Promise<ChatLabel | undefined> {
  const found = await findTagged(db, tagged);
  if (found?.peer === undefined) return found;
  return { ...found, ...(await nameOf(db, account, atRest, found.peer)) };
}

/** While the app is locked: which chat it is, so that a muted one stays silent, and nothing of whose. */
export async function findLockedChatLabel(
  db: Db,
  tagged: { tag: string; tagKey: string },
): Promise<ChatLabel | undefined> {
  const found = await findTagged(db, tagged);
  return found && { chat: found.chat, mutedUntil: found.mutedUntil, isLocked: true };
}

async function findTagged(
  db: Db,
  { tag, tagKey }: { tag: string; tagKey: string },
): Promise<Pick<ChatLabel, 'chat' | 'peer' | 'mutedUntil'> | undefined> {
  for (const { chat, peer, mutedUntil = 0 } of await db.chats.orderBy('pos').reverse().toArray()) {
    if ((await tagOfChat(tagKey, chat)) === tag) return { chat, mutedUntil, ...(peer !== undefined && { peer }) };
  }
  return undefined;
}

async function nameOf(
  db: Db,
  account: AccountId,
  atRest: AtRest,
  peer: AccountId,
): Promise<Pick<ChatLabel, 'name' | 'username'>> {
  const contact = await findContact(db, account, peer);
  if (contact === undefined) return {};
  const [named] = await addAliases(atRest, [contact], await findAliasRows(db, peer));
  const name = named?.alias ?? named?.name ?? named?.username;
  const { username } = contact;
  return { ...(name !== undefined && { name }), ...(username !== undefined && { username }) };
}
