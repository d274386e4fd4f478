import { randomBytes } from 'node:crypto';

/** Seconds and milliseconds in hex, then seven random digits: as the clients of `/v1` make them. */
export function makeUniqueId(now: number): string {
  const seconds = Math.floor(now / 1000).toString(16);
  const milliseconds = (now % 1000).toString(16).padStart(5, '0');
  return seconds + milliseconds + randomBytes(4).toString('hex').slice(0, 7);
}
