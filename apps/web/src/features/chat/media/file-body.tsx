import type { Message } from '@dostar/client';
import { toSafeFileName } from '@dostar/protocol/content/file-name';
import type { MediaReference } from '@dostar/protocol/content/media';
import { useChat } from '../chat-context.ts';
import { FileCard } from './file-card.tsx';
import { saveMedia } from './media-files.ts';
import { useMedia } from './use-media.ts';

interface FileBodyProps {
  message: Message;
  media: MediaReference;
}

/** File of a message: a press fetches the file and saves it to disk. */
export function FileBody({ message, media }: FileBodyProps) {
  const { withdraw } = useChat();
  const { transfer, fetchNow, cancel } = useMedia(media, { isWanted: false });

  async function handleOpen(): Promise<void> {
    const url = await fetchNow();
    if (url !== undefined) saveMedia(url, media.name);
  }

  return (
    <FileCard
      name={toSafeFileName(media.name)}
      size={media.size}
      transfer={transfer}
      onOpen={() => void handleOpen()}
      onCancel={message.status === 'sending' ? () => withdraw(message) : cancel}
    />
  );
}
