import { isDecodable } from '@dostar/protocol/content/picture-size';

/** The types that our client uploads, by their first bytes. The server sends no other type. */
const BEGINNINGS: readonly (readonly [string, RegExp])[] = [
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
];

/** The header of a picture that was redrawn in a browser fits into these. */
export const HEAD_BYTES = 16 * 1024;

/** Undefined also for a picture that would fill a viewer's memory. */
export async function pictureTypeOf(head: Buffer): Promise<string | undefined> {
  const text = head.toString('latin1', 0, 12);
  const type = BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
  return type !== undefined && (await isDecodable(new Blob([Uint8Array.from(head)]))) ? type : undefined;
}
