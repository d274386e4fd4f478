import type { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { countReactions } from './count-reactions.ts';
import { slowest } from './slowest.ts';

const [me, you] = ['me', 'you'] as AccountId[] as [AccountId, AccountId];

test('a person who likes two pictures of an album likes it once', () => {
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

test('an album is as far as the picture that is least far', () => {
  expect(slowest([{ status: 'read' }, { status: 'sent' }])).toBe('sent');
  expect(slowest([{ status: 'sending' }, { status: 'failed' }])).toBe('failed');
});
