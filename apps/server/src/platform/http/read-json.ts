/**
 * Parses untrusted JSON. Refuses what the rest of the program can't take: nesting that would overflow a recursive walk, text
 * that PostgreSQL does not store, and keys that change prototypes. The cost is linear in the length of the text.
 */

const MAX_DEPTH = 64;

/** Throws a `SyntaxError`. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  check(value, 0);
  return value;
}

/** PostgreSQL stores no NUL character, and `jsonb` no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function check(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new SyntaxError('text that can not be stored');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) throw new SyntaxError('nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || !isStorable(key)) throw new SyntaxError('a key that can not be used');
    check((value as Record<string, unknown>)[key], depth + 1);
  }
}
