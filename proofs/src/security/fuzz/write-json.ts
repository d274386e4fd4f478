/** Writes JSON, including JSON that `JSON.stringify` never writes: repeated keys and values such as `1e999`. */

/** Raw JSON text that is written unchanged. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object as a list of entries, which may repeat a key and treats `__proto__` as any other key. */
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

/** Converts a value into a tree for mutations: objects become `Entries`. */
export function toTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null) return value;
  return new Entries(Object.entries(value).map(([key, part]) => [key, toTree(part)]));
}
