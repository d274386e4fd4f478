/** JSON whose whole numbers keep all their digits: those beyond 2^53 are `bigint`s on the inside. */

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// The standard library's types do not know the third argument yet, nor `rawJSON`.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

export function parseBigJson(text: string): unknown {
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

export function writeBigJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? rawJSON(String(inner)) : inner));
}
