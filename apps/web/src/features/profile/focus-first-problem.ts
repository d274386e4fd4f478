/** After the marks have been drawn: whoever uses a keyboard or a screen reader is led to the first of them. */
export function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus(), 0);
  });
}
