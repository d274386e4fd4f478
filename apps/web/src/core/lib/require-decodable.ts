import { isBounded, readPictureSize } from '@dostar/protocol/content/picture-size';

export class TooLargePicture extends Error {
  override name = 'TooLargePicture';
}

/**
 * Refuses a picture that would not fit into memory. Throws `TooLargePicture`, or another error if it is not a picture.
 */
export async function requireDecodable(file: Blob): Promise<void> {
  const size = await readPictureSize(file);
  if (size === undefined) throw new Error('no picture of a known format');
  if (!isBounded(size)) throw new TooLargePicture();
}
