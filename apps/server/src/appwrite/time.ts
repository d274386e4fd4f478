/** Times of `/v1`: always milliseconds, always `+00:00`. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined for an invalid time, and outside the years 1 to 9999, which `writeTime` writes in a form PostgreSQL can't read. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text);
  return ms >= FIRST && ms <= LAST ? ms : undefined;
}
