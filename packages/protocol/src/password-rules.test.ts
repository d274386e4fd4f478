import { expect, test } from 'vitest';
import { loadIsCommon, refusesCommon, wordsOf } from './password-rules.ts';

const isCommon = await loadIsCommon();

test('knows the most common passwords, in any case', () => {
  for (const password of ['password', 'PASSWORD', '12345678', 'iloveyou', 'йцукенгшщз'])
    expect(isCommon(password)).toBe(true);
  for (const password of ['steppe wind over grass', 'korzhyk-92-tau']) expect(isCommon(password)).toBe(false);
});

test('knows breached passwords that are not among the most common ones', () => {
  for (const password of ['Football12', 'olegnaruto', 'qazxswedcvfr', 'kurosawa'])
    expect([password, isCommon(password)]).toEqual([password, true]);
});

test("refuses the product's name and the user's address, also with a few more characters", () => {
  expect(isCommon('Dostar2026')).toBe(false);
  for (const password of ['dostar12', 'Достар!!', 'amadeus1']) expect(isCommon(password)).toBe(true);
  const own = wordsOf('aigerim.bek@example.org');
  expect(own).toEqual(['aigerim', 'bek', 'example', 'org']);
  expect(isCommon('Aigerim99', own)).toBe(true);
  expect(isCommon('aigerim.bek', own)).toBe(true);
  expect(isCommon('aigerim and her horse', own)).toBe(false);
});

test('an installation refuses them once it asks for eight characters', () => {
  expect([4, 7, 8, 12].map(refusesCommon)).toEqual([false, false, true, true]);
});
