/** Types that browsers display or play and never execute. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/webm',
  'audio/ogg',
  'audio/mp4',
  'audio/mpeg',
  'audio/aac',
]);

/**
 * Safe type for a blob whose type the sender claims: one of the list, without parameters, or plain bytes. Browsers
 * parse a claimed type leniently: Chromium opens `image/png,text/html` as HTML in this origin.
 */
export function toShownType(claimed: string): string {
  const essence = claimed.split(';', 1).join('').trim().toLowerCase();
  return shown.has(essence) ? essence : 'application/octet-stream';
}
