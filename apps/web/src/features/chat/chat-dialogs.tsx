import type { Client, Message } from '@dostar/client';
import { AccountId, type ChatId } from '@dostar/protocol/ids';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import type { People } from '../../core/messenger/people.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { AttachDialog } from './composer/attach-dialog.tsx';
import { DeleteDialog } from './dialogs/delete-dialog.tsx';
import { ForwardDialog } from './dialogs/forward-dialog.tsx';
import { InfoDialog } from './dialogs/info-dialog.tsx';
import { TimerDialog } from './dialogs/timer-dialog.tsx';
import { GalleryDialog } from './gallery/gallery-dialog.tsx';
import { MediaViewer } from './media/media-viewer.tsx';
import { MAX_FILE_BYTES } from '@dostar/protocol/content/media';
import type { useAttaching } from './use-attaching.ts';
import type { useMessageActions } from './use-message-actions.ts';

interface ChatDialogsProps {
  client: Client;
  chat: ChatId;
  me: AccountId;
  peer: AccountId;
  people: People;
  messageActions: ReturnType<typeof useMessageActions>;
  attaching: ReturnType<typeof useAttaching>;
  viewed: Message | undefined;
  onView: (message: Message | undefined) => void;
  onJump: (message: Message) => void;
}

/** The dialogs of a chat; at most one is open. */
export function ChatDialogs(props: ChatDialogsProps) {
  const { client, chat, me, peer, people, messageActions, attaching, viewed, onView, onJump } = props;
  const { t } = useTranslation('chat');
  const timer = useLive(client.live.timer(chat));
  const { dialog, setDialog } = messageActions;
  const close = () => setDialog(undefined);

  if (viewed !== undefined) {
    return (
      <MediaViewer
        client={client}
        message={viewed}
        onView={onView}
        onSave={(message) => void attaching.save(message)}
      />
    );
  }
  if (attaching.chosen !== undefined) {
    return (
      <AttachDialog
        files={attaching.chosen}
        maxBytes={MAX_FILE_BYTES}
        onSend={(attachments) => void attaching.send(attachments)}
        onClose={attaching.forget}
      />
    );
  }
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'delete':
      return (
        <DeleteDialog
          count={dialog.messages.length}
          canForEveryone={dialog.messages.every(
            ({ sender, shows, status }) =>
              sender === me && shows.state !== 'deleted' && status !== 'sending' && status !== 'failed',
          )}
          onDelete={(forEveryone) => void messageActions.remove(dialog.messages, forEveryone)}
          onClose={close}
        />
      );
    case 'forward':
      return (
        <ForwardDialog
          people={people.all
            .filter(({ state }) => state === 'accepted')
            .map(({ id }) => ({ id, name: people.nameOf(id) ?? t('header.unknown') }))}
          onChoose={(id) => void messageActions.forward(dialog.messages, AccountId.parse(id))}
          onClose={close}
        />
      );
    case 'info':
      return <InfoDialog client={client} message={dialog.message} onClose={close} />;
    case 'gallery':
      return <GalleryDialog client={client} chat={chat} onJump={onJump} onClose={close} />;
    case 'timer':
      return (
        timer !== undefined && (
          <TimerDialog
            seconds={timer}
            onChoose={(seconds) => {
              close();
              void client.setTimer({ to: peer, seconds });
            }}
            onClose={close}
          />
        )
      );
  }
}
