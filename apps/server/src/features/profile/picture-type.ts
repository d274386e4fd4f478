/** What a browser of ours makes of a picture, by its first bytes; anything else is shown to nobody. */
const BEGINNINGS: readonly (readonly [string, RegExp])[] = [
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
];

export const ENOUGH_BYTES = 12;

export function pictureTypeOf(first: Uint8Array): string | undefined {
  const text = Buffer.from(first).toString('latin1');
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
}
