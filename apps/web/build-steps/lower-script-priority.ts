/**
 * The words are in the page already; scripts only bring it to life. Left at their usual priority they share the line with
 * the style and the fonts, and a slow phone shows its first line a second later.
 */
export function lowerScriptPriority(html: string): string {
  return html.replaceAll('<link rel="modulepreload" href', '<link rel="modulepreload" fetchpriority="low" href');
}
