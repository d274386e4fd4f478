import type { Message } from '@dostar/client';
import { mediaKind } from '../../../core/messenger/preview-message.ts';
import { albumHeight } from '../media/album-layout.ts';
import { fitBox } from '../media/fit-box.ts';
import { LARGEST } from '../media/media-picture.tsx';
import type { Row } from './list-rows.ts';

const LINE_PX = 22;
const FRAME_PX = 21;
const LETTERS_PER_LINE = 52;

/** Estimated height of a row before it is rendered. A good estimate keeps the scroll bar steady. */
export function estimateHeight(row: Extract<Row<Message>, { kind: 'message' | 'album' }>): number {
  if (row.kind === 'message') return estimateMessage(row.message);
  const { shows } = row.messages.at(-1)!;
  const caption = shows.state === 'content' && shows.content.kind === 'media' ? shows.content.caption : undefined;
  return 16 + albumHeight(row.messages.length) + estimateCaption(caption);
}

function estimateMessage({ shows, reactions }: Message): number {
  const extra = reactions.length > 0 ? 20 : 0;
  if (shows.state !== 'content') return FRAME_PX + LINE_PX + extra;
  const { content } = shows;
  switch (content.kind) {
    case 'text':
      return FRAME_PX + countLines(content.text) * LINE_PX + (content.replyTo ? 48 : 0) + extra;
    case 'media': {
      const { type, width = 0, height = 0 } = content.media;
      const body = mediaKind(type) === 'file' ? 56 : fitBox({ width, height }, LARGEST).height;
      return 16 + body + estimateCaption(content.caption) + extra;
    }
    case 'voice':
      return 84 + extra;
    case 'timer':
    case 'system':
      return 44;
  }
}

function estimateCaption(caption: string | undefined): number {
  return caption === undefined ? 0 : countLines(caption) * LINE_PX + 12;
}

function countLines(text: string): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LETTERS_PER_LINE)), 0);
}
