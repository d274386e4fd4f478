import type { Client, Message } from '@dostar/client';
import { useLive } from '../../../core/lib/use-live.ts';
import { isPicture } from '../gallery/is-picture.ts';
import { Lightbox } from './lightbox.tsx';
import { useMedia } from './use-media.ts';

interface MediaViewerProps {
  client: Client;
  message: Message;
  onView: (message: Message | undefined) => void;
  onSave: (message: Message) => void;
}

/** Limit of the pictures that the viewer can step through. */
const MAX_MEDIA = 1000;

/** Opens a picture of a chat and steps through the others. */
export function MediaViewer({ client, message, onView, onSave }: MediaViewerProps) {
  const media =
    message.shows.state === 'content' && message.shows.content.kind === 'media' ? message.shows.content : undefined;
  const { url, isTooLarge, transfer } = useMedia(media?.media, { isWanted: true });
  const gallery = useLive(client.live.gallery(message.chat, { limit: MAX_MEDIA }))?.filter(isPicture) ?? [];
  const index = gallery.findIndex(({ id, sender }) => id === message.id && sender === message.sender);
  if (media === undefined) return null;
  return (
    <Lightbox
      picture={{
        id: message.id,
        name: media.media.name,
        caption: media.caption,
        isVideo: media.media.type.startsWith('video/'),
        url,
        isTooLarge,
      }}
      progress={transfer.state === 'moving' ? transfer.progress : undefined}
      hasPrevious={index > 0}
      hasNext={index >= 0 && index < gallery.length - 1}
      onStep={(step) => onView(gallery[index + step])}
      onSave={() => onSave(message)}
      onClose={() => onView(undefined)}
    />
  );
}
