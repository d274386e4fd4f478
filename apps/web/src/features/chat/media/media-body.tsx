import type { Message } from '@dostar/client';
import type { MediaReference } from '@dostar/protocol/content/media';
import { mediaKind } from '../../../core/messenger/preview-message.ts';
import { FileBody } from './file-body.tsx';
import { MediaPicture } from './media-picture.tsx';

interface MediaBodyProps {
  message: Message;
  media: MediaReference;
}

export function MediaBody({ message, media }: MediaBodyProps) {
  if (mediaKind(media.type) !== 'file') return <MediaPicture message={message} />;
  return (
    <div className="min-w-56 px-1.5 pt-1">
      <FileBody message={message} media={media} />
    </div>
  );
}
