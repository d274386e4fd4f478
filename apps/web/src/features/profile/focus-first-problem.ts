/** Moves the focus to the first invalid field, once the error states are rendered. */
export function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus(), 0);
  });
}
