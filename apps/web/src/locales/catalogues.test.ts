// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { baseOf, type Code, isPlural, listPlaceholders, pluralForms, readSentences } from './read-catalogues.ts';

const all = readSentences(import.meta.dirname);
const translations: Code[] = ['kz', 'ru'];

/** Labels in phones and email apps, which their makers have named. */
const elsewhere = new Set(['Add to Home Screen', 'Негізгі экранға қосу', 'На экран „Домой“', 'Домой', 'Спам']);

/** A report includes five messages at most. */
const neverTwentyOne = new Set(['contacts:report.messages']);

function basesOf(code: Code): string[] {
  return [...new Set([...all[code].keys()].map(baseOf))].toSorted();
}

describe.each(translations)('the %s catalogue', (code) => {
  it('has every key of the English one and no other', () => {
    expect(basesOf(code)).toEqual(basesOf('en'));
  });

  it('keeps every placeholder and adds none', () => {
    const broken: string[] = [];
    for (const [key, sentence] of all[code]) {
      const source = all.en.get(key) ?? all.en.get(`${baseOf(key)}_other`) ?? '';
      if (listPlaceholders(sentence).join() !== listPlaceholders(source).join()) broken.push(key);
    }
    expect(broken).toEqual([]);
  });

  it('mixes no Latin letter into a Cyrillic word', () => {
    const mixed = [...all[code]].filter(([, sentence]) =>
      (sentence.replace(/\{\{.*?\}\}/g, ' ').match(/\p{L}+/gu) ?? []).some(
        (word) => /\p{Script=Cyrillic}/u.test(word) && /\p{Script=Latin}/u.test(word),
      ),
    );
    expect(mixed).toEqual([]);
  });

  it('adds no case ending to an inserted name', () => {
    const glued = [...all[code]].filter(([, sentence]) => /\}\}[-‑’']?\p{L}/u.test(sentence));
    expect(glued).toEqual([]);
  });

  it('has no sentence in English', () => {
    const same = [...all[code]].filter(
      ([key, sentence]) =>
        sentence === all.en.get(key) && /\p{L}{2,}\s+\p{L}{2,}/u.test(sentence.replace(/\{\{.*?\}\}/g, '')),
    );
    expect(same).toEqual([]);
  });
});

describe.each(['en', 'kz', 'ru'] as const)('the %s catalogue', (code) => {
  it('has exactly the plural forms of its language', () => {
    const wrong: string[] = [];
    for (const base of new Set([...all[code].keys()].filter(isPlural).map(baseOf))) {
      const forms = [...all[code].keys()].filter((key) => key !== base && baseOf(key) === base);
      const wanted = pluralForms[code].map((form) => `${base}_${form}`);
      if (forms.toSorted().join() !== wanted.toSorted().join()) wrong.push(base);
    }
    expect(wrong).toEqual([]);
  });

  it('has no empty sentence and no stray space', () => {
    expect([...all[code]].filter(([, sentence]) => sentence === '' || sentence !== sentence.trim())).toEqual([]);
  });

  it('uses no technical jargon', () => {
    const jargon = /\bsessions?\b|device key|decrypt|сесси|сеанс|дешифр|расшифр|құрылғы кілті/iu;
    expect([...all[code]].filter(([key, sentence]) => !key.startsWith('components:') && jargon.test(sentence))).toEqual(
      [],
    );
  });

  it('quotes the exact texts of the screen in the tutorials', () => {
    const onScreen = new Set([...all[code]].filter(([key]) => !key.startsWith('tutorials:')).map(([, said]) => said));
    const quoted = [...all[code]]
      .filter(([key]) => key.startsWith('tutorials:'))
      .flatMap(([key, said]) => [...said.matchAll(/[“«](.+?)[”»]/gu)].map(([, label = '']) => ({ key, label })));
    expect(quoted.length).toBeGreaterThan(15);
    expect(quoted.filter(({ label }) => !onScreen.has(label) && !elsewhere.has(label))).toEqual([]);
  });
});

describe('the ru catalogue', () => {
  it('contains the number in the singular form, which is used for 21 too', () => {
    const silent = [...all.ru].filter(
      ([key, sentence]) =>
        key.endsWith('_one') &&
        !neverTwentyOne.has(baseOf(key)) &&
        !sentence.includes('{{count}}') &&
        all.ru.get(`${baseOf(key)}_few`)?.includes('{{count}}'),
    );
    expect(silent).toEqual([]);
  });
});
