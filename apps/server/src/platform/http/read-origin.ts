/** The origin of a URL, or of a bare host, which means https on the default port. */
export function readOrigin(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.origin : undefined;
}
