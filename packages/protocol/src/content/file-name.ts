const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A sender's file name, safe to show and to save. Removes control characters and the invisible characters that reverse
 * text: with them `photo<U+202E>gpj.exe` is displayed as `photoexe.jpg`. Separators of paths become underscores.
 */
export function toSafeFileName(name: string): string {
  const visible = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return visible === '' ? 'file' : visible.replace(RESERVED, '_$&');
}
