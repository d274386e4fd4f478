import { DEFAULT_PREFERENCES, DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { contactKey } from '@dostar/protocol/contract/contacts';
import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { createAtRest } from '../storage/at-rest.ts';
import { createKeyStore } from '../account/key-store.ts';
import { toRegisterValue } from '../contacts/store.ts';
import { openDb } from '../storage/open.ts';
import { findLockedChatLabel, findChatLabel } from './chat-label.ts';
import { tagOfChat } from './tag-of-chat.ts';

const tagKey = '-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s';

test("N3: the chat of a tag is found on this device, with the contact's name", async () => {
  const [account, peer] = [crypto.randomUUID(), crypto.randomUUID()].map((id) => AccountId.parse(id)) as [
    AccountId,
    AccountId,
  ];
  const chat = directChat(account, peer);
  const db = openDb({ account, indexedDB, IDBKeyRange });
  const atRest = createAtRest(db, account, createKeyStore({ indexedDB, IDBKeyRange }));
  await db.chats.put({ chat, pos: 1, last: [peer, MessageId.parse(crypto.randomUUID())], peer, mutedUntil: 5 });
  await db.registers.put({
    key: contactKey(peer),
    rev: 1,
    value: toRegisterValue({
      state: 'accepted',
      peerAccepts: true,
      ...DEFAULT_SERVER_PREFERENCES,
      mutedUntil: 5,
      since: 1,
    }),
  });
  await db.users.put({ account: peer, user: { id: peer, username: 'aigerim.1234', publicKey: null }, at: 1 });

  expect(await findChatLabel(db, account, atRest, { tag: await tagOfChat(tagKey, chat), tagKey })).toEqual({
    chat,
    peer,
    name: 'aigerim.1234',
    username: 'aigerim.1234',
    preferences: { ...DEFAULT_PREFERENCES, mutedUntil: 5 },
  });
  expect(await findChatLabel(db, account, atRest, { tag: 'AAAAAAAAAAAAAAAAAAAAAA', tagKey })).toBeUndefined();
  // L7: while the app is locked, only whether the chat is muted.
  expect(await findLockedChatLabel(db, { tag: await tagOfChat(tagKey, chat), tagKey })).toEqual({
    chat,
    preferences: { ...DEFAULT_PREFERENCES, mutedUntil: 5 },
    isLocked: true,
  });
  db.close();
});
