import type { Namespace, TextKey } from './catalogues.ts';

/** A catalogue of one language: sentences, or groups of them, by name. */
export interface Catalogue {
  [name: string]: string | Catalogue;
}

/** The values of a sentence's placeholders, such as `{{name}}`. `count` also chooses its plural form. */
export interface TextOptions {
  count?: number;
  /** Shown if the catalogue lacks the sentence; without it the key is shown. */
  defaultValue?: string;
  [placeholder: string]: string | number | undefined;
}

export type Translate<N extends Namespace> = (key: TextKey<N>, options?: TextOptions) => string;

/** The loaded texts of one language. */
export interface Texts {
  add(namespace: Namespace, catalogue: Catalogue): void;
  has(namespace: Namespace): boolean;
  /** Returns the same function each time, so that hooks may depend on it. */
  translator<N extends Namespace>(namespace: N): Translate<N>;
}

export function createTexts(tag: string): Texts {
  // oxlint-disable-next-line no-restricted-globals -- Chromium's plural rules are right; only its formats are wrong.
  const plural = new Intl.PluralRules(tag);
  const catalogues = new Map<Namespace, Map<string, string>>();
  const translators = new Map<Namespace, Translate<Namespace>>();

  function makeTranslator(namespace: Namespace): Translate<Namespace> {
    return (key: string, options = {}) => {
      const sentences = catalogues.get(namespace);
      const sentence = findForm(sentences, key, options.count) ?? sentences?.get(key);
      return fill(sentence ?? options.defaultValue ?? key, options);
    };
  }

  function findForm(sentences: Map<string, string> | undefined, key: string, count?: number): string | undefined {
    if (count === undefined) return undefined;
    return sentences?.get(`${key}_${plural.select(count)}`) ?? sentences?.get(`${key}_other`);
  }

  return {
    add: (namespace, catalogue) => void catalogues.set(namespace, new Map(listSentences(catalogue))),
    has: (namespace) => catalogues.has(namespace),
    translator(namespace) {
      const translate = translators.get(namespace) ?? makeTranslator(namespace);
      translators.set(namespace, translate);
      return translate as Translate<typeof namespace>;
    },
  };
}

function* listSentences(catalogue: Catalogue, prefix = ''): Generator<[key: string, sentence: string]> {
  for (const [name, value] of Object.entries(catalogue)) {
    if (typeof value === 'string') yield [prefix + name, value];
    else yield* listSentences(value, `${prefix}${name}.`);
  }
}

function fill(sentence: string, options: TextOptions): string {
  return sentence.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(options[name] ?? ''));
}
