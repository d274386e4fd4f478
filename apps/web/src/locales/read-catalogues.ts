// For the tests of the catalogues: all sentences of all languages as a flat list.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const codes = ['en', 'kz', 'ru'] as const;

export type Code = (typeof codes)[number];
/** From a key such as `shell:nav.home` to its sentence. */
export type Sentences = Map<string, string>;

/** The suffixes of a key whose sentence depends on a number. */
export const pluralForms: Record<Code, readonly string[]> = {
  en: ['one', 'other'],
  kz: ['one', 'other'],
  ru: ['one', 'few', 'many', 'other'],
};

const pluralEnding = /_(zero|one|two|few|many|other)$/;

export function baseOf(key: string): string {
  return key.replace(pluralEnding, '');
}

export function isPlural(key: string): boolean {
  return pluralEnding.test(key);
}

function flatten(prefix: string, tree: Record<string, unknown>, into: Sentences): void {
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix + name;
    if (typeof value === 'string') into.set(key, value);
    else flatten(`${key}.`, value as Record<string, unknown>, into);
  }
}

export function readSentences(folder: string): Record<Code, Sentences> {
  const all: Record<Code, Sentences> = { en: new Map(), kz: new Map(), ru: new Map() };
  for (const code of codes) {
    for (const file of readdirSync(join(folder, code))) {
      const tree = JSON.parse(readFileSync(join(folder, code, file), 'utf8')) as Record<string, unknown>;
      flatten(`${file.replace('.json', '')}:`, tree, all[code]);
    }
  }
  return all;
}

export function listPlaceholders(sentence: string): string[] {
  return [...new Set(sentence.match(/\{\{\s*[\w.]+\s*\}\}|<\/?\w+\/?>/g))].toSorted();
}
