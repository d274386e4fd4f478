/** Times of `/v1`: always milliseconds, always `+00:00`. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined for what is no time, and for years of other than four digits, which PostgreSQL does not read as we write them. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text);
  return ms >= FIRST && ms <= LAST ? ms : undefined;
}
