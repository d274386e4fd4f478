/** Times of `/v1`: always milliseconds, always `+00:00`. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}
