import { foldWord } from '@dostar/client/fold-words';

/** Whether a name contains these characters, as people type them: і as и, қ as к. */
export function matchesName(name: string, wanted: string): boolean {
  const forms = foldWord(name);
  return foldWord(wanted.trim()).some((typed) => forms.some((form) => form.includes(typed)));
}
