import { expect, test } from 'vitest';
import { matchesName } from './matches-name.ts';

test.each([
  ['Айгерім Қасымова', 'айгерим'],
  ['Айгерім Қасымова', 'касым'],
  ['Өмірбек', 'омир'],
  ['Zürich Müller', 'muller'],
  ['Dana Akhmetova', ' dana a'],
  ['Алёна', 'Алена'],
  ['Anybody', ''],
])('%s is found by %s', (name, wanted) => {
  expect(matchesName(name, wanted)).toBe(true);
});

test('another user is not', () => {
  expect(matchesName('Айгерім', 'айдана')).toBe(false);
});
