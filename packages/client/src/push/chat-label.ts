/** The label of a push's chat from this device's data: its contact and this account's preferences. Needs no network. */
import {
  type ContactPreferences,
  DEFAULT_PREFERENCES,
  pickPreferences,
} from '@dostar/protocol/contract/contact-preferences';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { AtRest } from '../storage/at-rest.ts';
import { addSealedPreferences, findPreferenceRows } from '../contacts/sealed-preferences.ts';
import { findContact } from '../contacts/store.ts';
import type { Db } from '../storage/open.ts';
import { tagOfChat } from './tag-of-chat.ts';

export interface ChatLabel {
  chat: ChatId;
  peer?: AccountId;
  /** The name that the chat list shows. */
  name?: string;
  /** The username in the chat's path. */
  username?: string;
  /** While the app is locked, all preferences but `mutedUntil` are at their defaults. */
  preferences: ContactPreferences;
  /** The app is locked, so its pages do not show the message. */
  isLocked?: true;
}

/** Undefined for a chat that this device does not know, such as a new one with a stranger. */
export async function findChatLabel(
  db: Db,
  account: AccountId,
  atRest: AtRest,
  tagged: { tag: string; tagKey: string },
): Promise<ChatLabel | undefined> {
  const found = await findTagged(db, tagged);
  if (found?.peer === undefined) return found;
  return { ...found, ...(await describeContact(db, account, atRest, found.peer)) };
}

/** While the app is locked: only the preference that mutes the notification, and nothing about the contact. */
export async function findLockedChatLabel(
  db: Db,
  tagged: { tag: string; tagKey: string },
): Promise<ChatLabel | undefined> {
  const found = await findTagged(db, tagged);
  return found && { chat: found.chat, preferences: found.preferences, isLocked: true };
}

async function findTagged(
  db: Db,
  { tag, tagKey }: { tag: string; tagKey: string },
): Promise<Pick<ChatLabel, 'chat' | 'peer' | 'preferences'> | undefined> {
  for (const { chat, peer, mutedUntil = 0 } of await db.chats.orderBy('pos').reverse().toArray()) {
    if ((await tagOfChat(tagKey, chat)) !== tag) continue;
    return { chat, preferences: { ...DEFAULT_PREFERENCES, mutedUntil }, ...(peer !== undefined && { peer }) };
  }
  return undefined;
}

async function describeContact(
  db: Db,
  account: AccountId,
  atRest: AtRest,
  peer: AccountId,
): Promise<Partial<Pick<ChatLabel, 'name' | 'username' | 'preferences'>>> {
  const stored = await findContact(db, account, peer);
  if (stored === undefined) return {};
  const [contact] = await addSealedPreferences(atRest, [stored], await findPreferenceRows(db, peer));
  if (contact === undefined) return {};
  const { username } = contact;
  const name = contact.alias ?? contact.name ?? username;
  return {
    preferences: pickPreferences(contact),
    ...(name !== undefined && { name }),
    ...(username !== undefined && { username }),
  };
}
