import type { Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { mediaKind } from '../../../core/messenger/preview-message.ts';
import { useChat } from '../chat-context.ts';
import { FileBody } from './file-body.tsx';
import { fitBox, type Size } from './fit-box.ts';
import { Photo } from './photo.tsx';
import { useMedia } from './use-media.ts';

/** Maximum size of a picture in the timeline. */
export const LARGEST: Size = { width: 340, height: 400 };

interface MediaPictureProps {
  message: Message;
  /** Fills its cell of an album instead of using its own size. */
  isTile?: boolean;
}

/** The photo of a message, or the poster of its video. */
export function MediaPicture({ message, isTile = false }: MediaPictureProps) {
  const { t } = useTranslation('said');
  const { isInert, openMedia, withdraw } = useChat();
  const content = message.shows.state === 'content' ? message.shows.content : undefined;
  const media = content?.kind === 'media' ? content.media : undefined;
  const kind = mediaKind(media?.type ?? '');
  // A video is fetched only when the user plays it; until then only its poster.
  const shown = kind === 'video' ? media?.poster : media;
  const { url, isTooLarge, transfer, fetch, cancel } = useMedia(shown, { isWanted: shown !== undefined && !isInert });
  if (media === undefined || content?.kind !== 'media') return null;
  if (isTooLarge && kind === 'photo') {
    return (
      <div className="min-w-56 px-1.5 pt-1">
        <FileBody message={message} media={media} />
      </div>
    );
  }
  return (
    <Photo
      alt={content.caption ?? t(kind === 'video' ? 'video' : 'photo')}
      box={isTile ? undefined : fitBox({ width: media.width ?? 0, height: media.height ?? 0 }, LARGEST)}
      blurhash={media.blurhash}
      url={url}
      videoMs={kind === 'video' ? (media.durationMs ?? 0) : undefined}
      transfer={transfer}
      onOpen={() => (url === undefined && kind === 'photo' ? fetch() : openMedia(message))}
      onCancel={message.status === 'sending' ? () => withdraw(message) : cancel}
      onRetry={fetch}
    />
  );
}
