/** Writes JSON, including JSON that `JSON.stringify` never writes: repeated keys and values such as `1e999`. */

/** Stands in the text as it is. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object by its entries, in which a key may stand twice and `__proto__` is a key like any other. */
export class Entries {
  readonly list: [string, unknown][];

  constructor(list: [string, unknown][]) {
    this.list = list;
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof Verbatim) return value.text;
  if (value instanceof Entries) return writeEntries(value.list);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) return writeEntries(Object.entries(value));
  return JSON.stringify(value) ?? 'null';
}

function writeEntries(entries: [string, unknown][]): string {
  const written = entries.filter(([, value]) => value !== undefined);
  return `{${written.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(',')}}`;
}

/** The same as a tree that mutations may change: objects become `Entries`. */
export function toTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null) return value;
  return new Entries(Object.entries(value).map(([key, part]) => [key, toTree(part)]));
}
