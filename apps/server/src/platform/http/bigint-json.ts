/** JSON whose whole numbers keep all their digits: those beyond 2^53 are `bigint`s on the inside. */
import { readJson } from './read-json.ts';

// The standard library's types do not know `rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** 2^53 has 16 digits. */
const LONG = /\d{16}/;
/** In valid JSON: a string, which is left alone, or a long number without fraction and exponent. */
const STRING_OR_LONG = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
/** 64 bits have 19 digits. Turning digits into a number, and back, takes more than linear time. */
const MAX_DIGITS = 20;
/** `readJson` refuses this character, so no string of the caller can look like a marked number. */
const MARK = '\0';

/**
 * Throws a `SyntaxError`. A reviver would cost up to 40 times a plain parse, so long integers are marked in the text and
 * replaced afterwards, and only where there may be one.
 */
export function parseBigJson(text: string): unknown {
  return parse(text, (token) => {
    if (token.length > MAX_DIGITS) throw new SyntaxError('a number with too many digits');
    return JSON.stringify(MARK + token);
  });
}

/**
 * For JSON that this server wrote. A number with more than `MAX_DIGITS` digits was a `number`: `JSON.stringify` writes all
 * zeros of 1e20, and `jsonb` those of 1e308.
 */
export function parseStoredJson(text: string): unknown {
  return parse(text, (token) => (token.length > MAX_DIGITS ? token : JSON.stringify(MARK + token)));
}

function parse(text: string, mark: (token: string) => string): unknown {
  const plain = readJson(text);
  if (!LONG.test(text)) return plain;
  // The text is known to be valid by now: on an unclosed string the pattern would take quadratic time.
  const marked = text.replaceAll(STRING_OR_LONG, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : mark(token),
  );
  return unmark(JSON.parse(marked));
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unmark);
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) holder[key] = unmark(holder[key]);
  return holder;
}

export function writeBigJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? rawJSON(String(inner)) : inner));
}
