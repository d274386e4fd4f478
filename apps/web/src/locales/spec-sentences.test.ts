// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Namespace } from '../core/i18n/catalogues.ts';
import { readTexts } from '../core/i18n/texts.ts';
import type { TextOptions } from '../core/i18n/translator.ts';
import type { Code } from './read-catalogues.ts';
import specSentences from './spec-sentences.json' with { type: 'json' };

const translations: Code[] = ['kz', 'ru'];

/** A text that the specification quotes, its section, and every key that contains it. */
interface Quoted {
  section: number;
  text: string;
  keys: string[];
  values?: TextOptions;
  /** The text is the same in every language. */
  isName?: boolean;
}

const quoted: Quoted[] = specSentences;

function render(code: Code, key: string, values: TextOptions): string {
  const [namespace, name] = key.split(':') as [Namespace, never];
  return readTexts(code).translator(namespace)(name, values);
}

describe('the texts that the specification quotes', () => {
  it.each(quoted)('section $section: $text', ({ keys, text, values = {}, isName = false }) => {
    for (const key of keys) {
      expect(render('en', key, values), key).toBe(text);
      for (const code of translations) {
        const translated = render(code, key, values);
        expect(translated, `${code} ${key}`).not.toBe(key.split(':')[1]);
        if (isName) expect(translated, `${code} ${key}`).toBe(text);
        else expect(translated, `${code} ${key}`).toMatch(/\p{Script=Cyrillic}/u);
      }
    }
  });

  it('use the right plural forms in Russian', () => {
    const said = [1, 2, 5, 11, 21, 22, 25, 111].map((count) => render('ru', 'auth:signUp.passwordShort', { count }));
    expect(said.map((sentence) => sentence.split(' ').at(-1))).toEqual([
      'символа.',
      'символов.',
      'символов.',
      'символов.',
      'символа.',
      'символов.',
      'символов.',
      'символов.',
    ]);
  });
});
