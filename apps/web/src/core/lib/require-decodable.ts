import { isBounded, readPictureSize } from '@dostar/protocol/content/picture-size';

export class TooLargePicture extends Error {
  override name = 'TooLargePicture';
}

/** A chosen picture is decoded only if it fits into memory. Throws `TooLargePicture`, or another error for no picture. */
export async function requireDecodable(file: Blob): Promise<void> {
  const size = await readPictureSize(file);
  if (size === undefined) throw new Error('no picture of a known format');
  if (!isBounded(size)) throw new TooLargePicture();
}
