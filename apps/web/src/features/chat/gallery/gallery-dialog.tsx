import type { Client, Message } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { FileList } from './file-list.tsx';
import { LinkList } from './link-list.tsx';
import { PictureGrid } from './picture-grid.tsx';
import { StarredList } from './starred-list.tsx';
import { VoiceList } from './voice-list.tsx';

interface GalleryDialogProps {
  client: Client;
  chat: ChatId;
  onJump: (message: Message) => void;
  onClose: () => void;
}

/** Everything shared in a chat, in one tab per kind. */
export function GalleryDialog({ client, chat, onJump, onClose }: GalleryDialogProps) {
  const { t } = useTranslation('chat');
  function handleJump(message: Message): void {
    onClose();
    onJump(message);
  }
  const parts = { client, chat, onJump: handleJump };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('gallery.title')} isWide>
      <div className="mt-3 h-[min(34rem,65dvh)] overflow-y-auto">
        <Tabs
          label={t('gallery.title')}
          tabs={[
            { value: 'media', label: t('gallery.media'), content: <PictureGrid {...parts} /> },
            { value: 'files', label: t('gallery.files'), content: <FileList {...parts} /> },
            { value: 'links', label: t('gallery.links'), content: <LinkList {...parts} /> },
            { value: 'voice', label: t('gallery.voice'), content: <VoiceList {...parts} /> },
            { value: 'starred', label: t('gallery.starred'), content: <StarredList {...parts} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
