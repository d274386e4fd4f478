import { AccountId, MessageId } from '@dostar/protocol/ids';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldMessage, type Annotation, type Shows } from './fold.ts';

const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const target = { sender: alice, id: MessageId.parse('01890000-0000-7000-8000-000000000001') };
const original: Shows = { state: 'content', content: { kind: 'text', text: 'first' } };

test('E4: an edit counts only from the author', () => {
  const edits = [annotation(1, bob, { kind: 'edit', target, text: 'bob says so' })];
  expect(foldMessage(alice, original, edits)).toMatchObject({ shows: original });
  expect(foldMessage(alice, original, edits)).not.toHaveProperty('editedAt');
  edits.push(annotation(2, alice, { kind: 'edit', target, text: 'better' }));
  expect(foldMessage(alice, original, edits)).toMatchObject({ shows: { content: { text: 'better' } }, editedAt: 2 });
});

test('E4: a deletion counts only from the author, and overrides everything', () => {
  const annotations = [
    annotation(1, bob, { kind: 'reaction', target, emoji: '👍' }),
    annotation(2, bob, { kind: 'delete', target }),
  ];
  expect(foldMessage(alice, original, annotations).shows).toEqual(original);
  annotations.push(annotation(0, alice, { kind: 'delete', target }));
  expect(foldMessage(alice, original, annotations)).toEqual({
    shows: { state: 'deleted' },
    reactions: [],
    isPinned: false,
  });
});

test('E4: a person has one reaction, the latest, and can remove it', () => {
  const annotations = [
    annotation(1, alice, { kind: 'reaction', target, emoji: '👍' }),
    annotation(2, bob, { kind: 'reaction', target, emoji: '👍' }),
    annotation(3, alice, { kind: 'reaction', target, emoji: '❤️' }),
  ];
  expect(foldMessage(alice, original, annotations).reactions).toEqual([
    { emoji: '👍', by: [bob] },
    { emoji: '❤️', by: [alice] },
  ]);
  annotations.push(annotation(4, bob, { kind: 'reaction', target, emoji: null }));
  expect(foldMessage(alice, original, annotations).reactions).toEqual([{ emoji: '❤️', by: [alice] }]);
});

test('the latest change of a pin wins, whichever side made it', () => {
  const annotations = [annotation(1, alice, { kind: 'pin', target, isPinned: true })];
  expect(foldMessage(alice, original, annotations).isPinned).toBe(true);
  annotations.push(annotation(2, bob, { kind: 'pin', target, isPinned: false }));
  expect(foldMessage(alice, original, annotations).isPinned).toBe(false);
});

test('unsent annotations of this device count as the latest', () => {
  const waiting = { ...annotation(1, alice, { kind: 'edit', target, text: 'newest' }), isWaiting: true };
  const annotations = [waiting, annotation(9, alice, { kind: 'edit', target, text: 'older' })];
  expect(foldMessage(alice, original, annotations).shows).toMatchObject({ content: { text: 'newest' } });
});

test('E6: annotations show the same in any order of arrival', () => {
  const content = fc.oneof(
    fc.record({ kind: fc.constant('reaction' as const), emoji: fc.constantFrom('👍', '❤️', null) }),
    fc.record({ kind: fc.constant('edit' as const), text: fc.constantFrom('one', 'two', 'three') }),
    fc.record({ kind: fc.constant('pin' as const), isPinned: fc.boolean() }),
    fc.record({ kind: fc.constant('delete' as const) }),
  );
  const one = fc.record({ at: fc.nat(3), sender: fc.constantFrom(alice, bob), content, isWaiting: fc.boolean() });
  const annotations = fc.array(one, { maxLength: 12 }).map((list) =>
    list.map((each, index) => ({
      ...annotation(each.at, each.sender, { ...each.content, target }, index),
      isWaiting: each.isWaiting,
    })),
  );
  const orders = annotations.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(orders, ([list, shuffled]) => {
      expect(foldMessage(alice, original, shuffled)).toEqual(foldMessage(alice, original, list));
    }),
  );
});

let count = 0;

function annotation(at: number, sender: AccountId, content: Annotation['content'], number = (count += 1)): Annotation {
  const id = MessageId.parse(`01890000-0000-7000-8000-${String(number).padStart(12, '0')}`);
  return { sender, id, at, isWaiting: false, content };
}
