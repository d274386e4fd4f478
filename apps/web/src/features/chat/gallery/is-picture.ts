import type { Message } from '@dostar/client';
import { mediaKind } from '../../../core/messenger/preview-message.ts';

/** Whether a message is a photo or a video, which the viewer opens; other files are saved. */
export function isPicture({ shows }: Message): boolean {
  return shows.state === 'content' && shows.content.kind === 'media' && mediaKind(shows.content.media.type) !== 'file';
}
