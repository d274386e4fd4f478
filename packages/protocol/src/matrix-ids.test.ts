import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountId, ChatId } from './ids.ts';
import { accountOf, chatOf, MatrixRoom, MatrixUser, roomOf, userOf } from './matrix-ids.ts';

test('ids of accounts and chats survive the conversion to Matrix ids and back', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(accountOf(MatrixUser.parse(userOf(AccountId.parse(uuid))))).toBe(uuid);
      expect(chatOf(MatrixRoom.parse(roomOf(ChatId.parse(uuid))))).toBe(uuid);
    }),
  );
});

test.each(['@a11ce000-0000-4000-8000-000000000001:elsewhere', '@alice:dostar', 'a11ce000-0000-4000-8000-000000000001'])(
  'a user of somewhere else is not one of ours: %s',
  (id) => {
    expect(MatrixUser.safeParse(id).success).toBe(false);
  },
);
