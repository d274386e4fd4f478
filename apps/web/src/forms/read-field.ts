import type { FormEvent } from 'react';

/** The typed value of a field. Fields keep their own state, so text typed before the scripts arrived is not lost. */
export function readField(event: FormEvent<HTMLFormElement>, name: string): string {
  const value = new FormData(event.currentTarget).get(name);
  return typeof value === 'string' ? value : '';
}

/** Focuses the first invalid field of a refused form. */
export function focusFirstProblem(event: FormEvent<HTMLFormElement>, names: readonly string[]): void {
  const [first] = names;
  const field = first === undefined ? null : event.currentTarget.elements.namedItem(first);
  if (field instanceof HTMLElement) field.focus();
}
