import { mediaKind } from '../../../core/messenger/preview-message.ts';

/** Photos are re-encoded before sending. The name counts too: some browsers report no type for HEIC. */
export function isPhoto({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return mediaKind(type) === 'photo' || /^image\/hei[cf]|\.hei[cf]$/i.test(type || name);
}
