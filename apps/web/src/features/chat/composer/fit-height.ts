/** Makes a field as tall as its words where the browser does not do it by itself: WebKit would show one line of ten. */
export function fitHeight(field: HTMLTextAreaElement, text: string): void {
  if (CSS.supports('field-sizing', 'content')) return;
  // Only a field that is low again tells how much less it needs.
  field.style.height = '';
  if (text !== '') field.style.height = `${field.scrollHeight}px`;
}
