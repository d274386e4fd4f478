import { createContext, use } from 'react';
import type { Namespace } from './catalogues.ts';
import { createTexts, type Texts, type Translate } from './translator.ts';

/** Outside of a provider there are no sentences: keys are shown. */
export const TextsContext = createContext<Texts>(createTexts('en'));

/** The sentences of a feature, in the language of the page. */
export function useTranslation<N extends Namespace>(namespace: N): { t: Translate<N> } {
  return { t: use(TextsContext).translator(namespace) };
}
