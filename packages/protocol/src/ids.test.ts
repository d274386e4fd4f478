import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountId, ChatId, directChat } from './ids.ts';

const accountId = fc.uuid().map((id) => AccountId.parse(id));

test('P2: both accounts of a chat compute the same chat id', () => {
  fc.assert(
    fc.property(accountId, accountId, (one, other) => {
      expect(directChat(one, other)).toBe(directChat(other, one));
    }),
  );
});

test('P2: a chat id is a well-formed UUID of version 8', () => {
  fc.assert(
    fc.property(accountId, accountId, (one, other) => {
      expect(ChatId.safeParse(directChat(one, other)).success).toBe(true);
      expect(directChat(one, other)[14]).toBe('8');
    }),
  );
});

test('P2: a fixed pair of accounts has a fixed chat id', () => {
  const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
  const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
  expect(directChat(alice, bob)).toBe('11ace000-0000-8000-8000-000000000003');
});
