import { foldWord } from '@dostar/client/fold-words';

/** Whether a name contains the typed text; ignores differences that keyboards cause: і and и, қ and к. */
export function matchesName(name: string, wanted: string): boolean {
  const forms = foldWord(name);
  return foldWord(wanted.trim()).some((typed) => forms.some((form) => form.includes(typed)));
}
