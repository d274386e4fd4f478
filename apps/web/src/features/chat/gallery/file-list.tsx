import type { Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { FileBody } from '../media/file-body.tsx';
import { GalleryRows } from './gallery-rows.tsx';
import { GalleryRow } from './gallery-row.tsx';
import { isPicture } from './is-picture.ts';
import { type GalleryPartProps, useGallery } from './use-gallery.ts';

export function FileList({ client, chat, onJump }: GalleryPartProps) {
  const { t } = useTranslation('chat');
  const { messages, hasMore, showMore } = useGallery(client, chat, 'media');
  const files = messages?.filter((message) => !isPicture(message));
  return (
    <GalleryRows
      rows={files?.map((message) => (
        <GalleryRow key={`${message.sender}/${message.id}`} message={message} onJump={onJump}>
          <FileOf message={message} />
        </GalleryRow>
      ))}
      empty={t('gallery.noFiles')}
      hasMore={hasMore}
      onMore={showMore}
    />
  );
}

function FileOf({ message }: { message: Message }) {
  const { shows } = message;
  if (shows.state !== 'content' || shows.content.kind !== 'media') return null;
  return <FileBody message={message} media={shows.content.media} />;
}
