import type { FormEvent } from 'react';

/** The typed value of a field. Fields keep their own state, so words typed before the scripts arrived are not lost. */
export function readField(event: FormEvent<HTMLFormElement>, name: string): string {
  const value = new FormData(event.currentTarget).get(name);
  return typeof value === 'string' ? value : '';
}

/** After a refused form the first field at fault gets the focus. */
export function focusFirstProblem(event: FormEvent<HTMLFormElement>, names: readonly string[]): void {
  const [first] = names;
  const field = first === undefined ? null : event.currentTarget.elements.namedItem(first);
  if (field instanceof HTMLElement) field.focus();
}
