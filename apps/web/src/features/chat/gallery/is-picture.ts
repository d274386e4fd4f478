import type { Message } from '@dostar/client';
import { mediaKind } from '../../../core/messenger/preview-message.ts';

/** A photo or a video: something to look at, rather than to save. */
export function isPicture({ shows }: Message): boolean {
  return shows.state === 'content' && shows.content.kind === 'media' && mediaKind(shows.content.media.type) !== 'file';
}
