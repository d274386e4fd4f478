import type { Message } from '@dostar/client';
import { useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { mediaKind } from '../../../core/messenger/preview-message.ts';
import { useChat } from '../chat-context.ts';
import { Photo } from '../media/photo.tsx';
import { useMedia } from '../media/use-media.ts';
import { GalleryRows } from './gallery-rows.tsx';
import { isPicture } from './is-picture.ts';
import { type GalleryPartProps, useGallery } from './use-gallery.ts';
import { useInSight } from './use-in-sight.ts';

export function PictureGrid({ client, chat }: GalleryPartProps) {
  const { t } = useTranslation('chat');
  const { messages, hasMore, showMore } = useGallery(client, chat, 'media');
  const pictures = messages?.filter(isPicture);
  return (
    <GalleryRows
      isGrid
      rows={pictures?.map((message) => (
        <li key={`${message.sender}/${message.id}`} className="aspect-square overflow-hidden rounded-chip">
          <PictureTile message={message} />
        </li>
      ))}
      empty={t('gallery.noMedia')}
      hasMore={hasMore}
      onMore={showMore}
    />
  );
}

function PictureTile({ message }: { message: Message }) {
  const { t } = useTranslation('said');
  const { openMedia } = useChat();
  const place = useRef<HTMLDivElement>(null);
  const isInSight = useInSight(place);
  const content = message.shows.state === 'content' ? message.shows.content : undefined;
  const media = content?.kind === 'media' ? content.media : undefined;
  const isVideo = mediaKind(media?.type ?? '') === 'video';
  const shown = isVideo ? media?.poster : media;
  const { url, transfer, fetch, cancel } = useMedia(shown, { isWanted: isInSight && shown !== undefined });
  return (
    <div ref={place} className="size-full">
      <Photo
        alt={(content?.kind === 'media' && content.caption) || t(isVideo ? 'video' : 'photo')}
        blurhash={media?.blurhash}
        url={url}
        videoMs={isVideo ? (media?.durationMs ?? 0) : undefined}
        transfer={transfer}
        onOpen={() => openMedia(message)}
        onCancel={cancel}
        onRetry={fetch}
      />
    </div>
  );
}
