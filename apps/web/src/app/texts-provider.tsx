import { type ReactNode, use } from 'react';
import { areTextsLoaded, loadRequestedTexts, readTexts } from '../core/i18n/texts.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { TextsContext } from '../core/i18n/use-translation.ts';

export function TextsProvider({ children }: { children: ReactNode }) {
  const { code } = useLocale();
  // Going back across a language switch after a reload: the other language is not in memory yet.
  if (!areTextsLoaded(code)) use(loadRequestedTexts(code));
  return <TextsContext value={readTexts(code)}>{children}</TextsContext>;
}
