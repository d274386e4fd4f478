import { describe, expect, it } from 'vitest';
import { isEasyToGuess } from '../use-password-advice.ts';
import { words as en } from './en.ts';
import { words as kz } from './kz.ts';
import { words as ru } from './ru.ts';
import { suggestWords } from './suggest-words.ts';

const lists = { en, kz, ru };

describe.each(['en', 'kz', 'ru'] as const)('the words of %s', (locale) => {
  it('are many, and none is repeated', () => {
    const list = lists[locale].trim().split(/\s+/);
    expect(new Set(list).size).toBe(list.length);
    expect(list.length).toBeGreaterThan(500);
  });

  it('give four words at a time, never the same four, never easy to guess', async () => {
    const suggested = await Promise.all(Array.from({ length: 50 }, () => suggestWords(locale)));
    for (const words of suggested) {
      expect(words.split(' ')).toHaveLength(4);
      expect(isEasyToGuess(words)).toBe(false);
    }
    expect(new Set(suggested).size).toBe(50);
  });
});
