export interface Backoff {
  firstMs: number;
  capMs: number;
}

/**
 * Full jitter: any wait between zero and a ceiling that doubles with each failure. Clients that failed together retry
 * at different times, so they do not overload a server that is recovering (SPEC B3).
 */
export function backoffMs({ firstMs, capMs }: Backoff, failures: number, fraction: number): number {
  const ceiling = Math.min(capMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.floor(fraction * ceiling);
}

/** A number in [0, 1), for spreading retries. */
export function randomFraction(random: (size: number) => Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32;
}
