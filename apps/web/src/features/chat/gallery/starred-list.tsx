import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { previewMessage } from '../../../core/messenger/preview-message.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { GalleryRow } from './gallery-row.tsx';
import { GalleryRows } from './gallery-rows.tsx';
import type { GalleryPartProps } from './use-gallery.ts';

const MAX_STARRED = 1000;

/** Starred messages of this chat, newest first. */
export function StarredList({ client, chat, onJump }: GalleryPartProps) {
  const { t } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const starred = useLive(client.live.starred(MAX_STARRED))?.filter((message) => message.chat === chat);
  return (
    <GalleryRows
      rows={starred?.map((message) => (
        <GalleryRow key={`${message.sender}/${message.id}`} message={message} onJump={onJump}>
          <p dir="auto" className="line-clamp-2">
            {previewMessage(message.shows, tSaid)}
          </p>
        </GalleryRow>
      ))}
      empty={t('gallery.noStarred')}
      hasMore={false}
      onMore={() => {}}
    />
  );
}
