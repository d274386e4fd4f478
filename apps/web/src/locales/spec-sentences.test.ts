// @vitest-environment node
import { createInstance } from 'i18next';
import { describe, expect, it } from 'vitest';
import { type Code, readSentences } from './read-catalogues.ts';
import specSentences from './spec-sentences.json' with { type: 'json' };

const all = readSentences(import.meta.dirname);
const translations: Code[] = ['kz', 'ru'];
const tags: Record<Code, string> = { en: 'en', kz: 'kk', ru: 'ru' };

/** A text that the specification quotes, its section, and every key that says it. */
interface Quoted {
  section: number;
  text: string;
  keys: string[];
  values?: Record<string, unknown>;
  /** The same in every language. */
  isName?: boolean;
}

const quoted: Quoted[] = specSentences;

function render(code: Code, key: string, values: Record<string, unknown>): string {
  const resources: Record<string, Record<string, string>> = {};
  for (const [full, sentence] of all[code]) {
    const [namespace = '', name = ''] = full.split(':');
    (resources[namespace] ??= {})[name] = sentence;
  }
  const texts = createInstance();
  void texts.init({
    lng: tags[code],
    resources: { [tags[code]]: resources },
    keySeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  return (texts.t as (key: string, values: object) => string)(key, values);
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

  it('agree in number in Russian', () => {
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
