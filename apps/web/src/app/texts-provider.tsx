import { type ReactNode, use } from 'react';
import { areTextsLoaded, loadRequestedTexts, readTexts } from '../core/i18n/texts.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { TextsContext } from '../core/i18n/use-translation.ts';

export function TextsProvider({ children }: { children: ReactNode }) {
  const { code } = useLocale();
  // After a reload, going back across a language switch needs texts that are not in memory yet.
  if (!areTextsLoaded(code)) use(loadRequestedTexts(code));
  return <TextsContext value={readTexts(code)}>{children}</TextsContext>;
}
