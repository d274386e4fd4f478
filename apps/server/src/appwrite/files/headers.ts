/** Headers of downloads. */
import { toSafeFileName } from '@dostar/protocol/content/file-name';

/** An uploaded file must never run as a page of ours. */
export const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** The parameters of `content-disposition` (RFC 6266): in ASCII for old programs, and in full. */
export function describeName(name: string): string {
  const safe = toSafeFileName(name);
  const plain = safe.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const whole = encodeURIComponent(safe).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}
