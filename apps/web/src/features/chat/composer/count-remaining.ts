import { MAX_TEXT_BYTES } from '@dostar/protocol/content/kinds';

const encoder = new TextEncoder();
/** A character takes at most so many bytes, by the length that JavaScript counts. */
const MAX_BYTES_PER_CHARACTER = 3;

/**
 * How many characters like those of the text still fit into a message; below zero if it is too long. A Cyrillic one takes
 * twice the room of a Latin one, and the message's limit counts bytes.
 */
export function countRemaining(text: string): number {
  // Short ones are not counted, key by key.
  if (text.length * MAX_BYTES_PER_CHARACTER * 2 < MAX_TEXT_BYTES) return MAX_TEXT_BYTES;
  const bytes = encoder.encode(text).length;
  return Math.floor(((MAX_TEXT_BYTES - bytes) * text.length) / bytes);
}
