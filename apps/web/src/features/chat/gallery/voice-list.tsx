import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { VoiceBody } from '../media/voice-body.tsx';
import { GalleryRow } from './gallery-row.tsx';
import { GalleryRows } from './gallery-rows.tsx';
import { type GalleryPartProps, useGallery } from './use-gallery.ts';

export function VoiceList({ client, chat, onJump }: GalleryPartProps) {
  const { t } = useTranslation('chat');
  const { messages, hasMore, showMore } = useGallery(client, chat, 'voice');
  return (
    <GalleryRows
      rows={messages?.map((message) => (
        <GalleryRow key={`${message.sender}/${message.id}`} message={message} onJump={onJump}>
          {message.shows.state === 'content' && message.shows.content.kind === 'voice' && (
            <VoiceBody voice={message.shows.content.voice} />
          )}
        </GalleryRow>
      ))}
      empty={t('gallery.noVoice')}
      hasMore={hasMore}
      onMore={showMore}
    />
  );
}
