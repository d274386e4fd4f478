/** After the marks have been rendered: the focus moves to the first of them, for keyboards and screen readers. */
export function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus(), 0);
  });
}
