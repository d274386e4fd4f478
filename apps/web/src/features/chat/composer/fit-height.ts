/** Fits the height of a field to its text in browsers without `field-sizing`, such as WebKit. */
export function fitHeight(field: HTMLTextAreaElement, text: string): void {
  if (CSS.supports('field-sizing', 'content')) return;
  // Reset first: `scrollHeight` is never smaller than the current height.
  field.style.height = '';
  if (text !== '') field.style.height = `${field.scrollHeight}px`;
}
