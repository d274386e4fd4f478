/** What goes with the bytes of a file. */

/** Whatever somebody uploaded must not run as a page of ours. */
export const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** For old programs in letters of old, for others in all letters. */
export function describeName(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}
