import { expect, test } from 'vitest';
import { listActions } from './list-actions.ts';

const text = { state: 'content', content: { kind: 'text', text: 'hi' } } as const;

test('only own messages can be edited', () => {
  expect(listActions({ shows: text, status: 'read' }, true)).toContain('edit');
  expect(listActions({ shows: text, status: 'sent' }, false)).not.toContain('edit');
});

test('an unsent message can only be copied, selected or deleted', () => {
  expect(listActions({ shows: text, status: 'sending' }, true)).toEqual(['copy', 'select', 'delete']);
});

test('a deleted message can only be removed', () => {
  expect(listActions({ shows: { state: 'deleted' }, status: 'sent' }, false)).toEqual(['delete']);
});

test('a system line has no menu', () => {
  const timer = { state: 'content', content: { kind: 'timer', seconds: 60 } } as const;
  expect(listActions({ shows: timer, status: 'sent' }, true)).toEqual([]);
});
