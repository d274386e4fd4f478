import { createContext, use } from 'react';
import type { Namespace } from './catalogues.ts';
import { createTexts, type Texts, type Translate } from './translator.ts';

/** Without a provider there are no sentences, and keys are shown. */
export const TextsContext = createContext<Texts>(createTexts('en'));

/** The sentences of a namespace, in the language of the page. */
export function useTranslation<N extends Namespace>(namespace: N): { t: Translate<N> } {
  return { t: use(TextsContext).translator(namespace) };
}
