import { mediaKind } from '../../../core/messenger/preview-message.ts';

/** Photos are redrawn before they are sent. Not every browser knows the type of an iPhone's photo. */
export function isPhoto({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return mediaKind(type) === 'photo' || /^image\/hei[cf]|\.hei[cf]$/i.test(type || name);
}
