import { expect, test } from 'vitest';
import { insertText, wrapSelection } from './wrap-selection.ts';

test('a mark is added around the selection and removed again', () => {
  const plain = { text: 'a word here', from: 2, to: 6 };
  const bold = wrapSelection(plain, '*');
  expect(bold).toEqual({ text: 'a *word* here', from: 3, to: 7 });
  expect(wrapSelection(bold, '*')).toEqual(plain);
});

test('an emoji replaces the selection', () => {
  expect(insertText({ text: 'a word', from: 2, to: 6 }, '🎉')).toEqual({ text: 'a 🎉', from: 4, to: 4 });
});
