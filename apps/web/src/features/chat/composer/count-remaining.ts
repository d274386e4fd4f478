import { MAX_TEXT_BYTES } from '@dostar/protocol/content/kinds';

const encoder = new TextEncoder();
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/**
 * How many more characters fit into a message, negative if it is too long. The limit is in bytes and Cyrillic takes two
 * bytes per character, so the estimate uses the average of the text.
 */
export function countRemaining(text: string): number {
  // Skips the encoding of short texts, because this runs on each keystroke.
  if (text.length * MAX_BYTES_PER_CHARACTER * 2 < MAX_TEXT_BYTES) return MAX_TEXT_BYTES;
  const bytes = encoder.encode(text).length;
  return Math.floor(((MAX_TEXT_BYTES - bytes) * text.length) / bytes);
}
