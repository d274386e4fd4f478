import type { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { countReactions } from './count-reactions.ts';
import { slowest } from './slowest.ts';

const [me, you] = ['me', 'you'] as AccountId[] as [AccountId, AccountId];

test('a person who reacts to two pictures of an album counts once', () => {
  const album = [
    { reactions: [{ emoji: '❤️', by: [you] }] },
    {
      reactions: [
        { emoji: '❤️', by: [you, me] },
        { emoji: '👍', by: [you] },
      ],
    },
  ];
  expect(countReactions(album, me)).toEqual([
    { emoji: '❤️', count: 2, isOwn: true },
    { emoji: '👍', count: 1, isOwn: false },
  ]);
});

test('an album has the status of its slowest picture', () => {
  expect(slowest([{ status: 'read' }, { status: 'sent' }])).toBe('sent');
  expect(slowest([{ status: 'sending' }, { status: 'failed' }])).toBe('failed');
});
