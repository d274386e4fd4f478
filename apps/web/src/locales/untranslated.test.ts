// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { baseOf, type Code, readSentences } from './read-catalogues.ts';

const all = readSentences(import.meta.dirname);

/** Texts that are the same in every language: names of components, an example, and patterns of placeholders only. */
const sameEverywhere = [
  'chat:message.label',
  'components:pages.customButton.title',
  'components:pages.customInput.title',
  'components:pages.customLabel.title',
  'components:pages.customPasswordInput.title',
  'contacts:find.placeholder',
  'said:file',
];

function listUntranslated(code: Code): string[] {
  const same = [...all[code]].filter(
    ([key, sentence]) => sentence === (all.en.get(key) ?? all.en.get(`${baseOf(key)}_other`)),
  );
  return same.map(([key]) => key).toSorted();
}

describe.each(['kz', 'ru'] as const)('the %s catalogue', (code) => {
  it('repeats the English text only for texts that are the same in every language', () => {
    expect(listUntranslated(code)).toEqual(sameEverywhere);
  });
});
