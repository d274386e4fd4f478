import type { Client, Contact } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useNavigate } from 'react-router';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { paths } from '../../../core/lib/paths.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { TimerDialog } from '../dialogs/timer-dialog.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { DeleteChatDialog } from './delete-chat-dialog.tsx';
import { PreferenceDialog } from './preference-dialog.tsx';
import { type EditedPreference, isEditedPreference } from './preference-editors.tsx';

export type DetailsDialog = EditedPreference | 'timer' | 'block' | 'delete' | undefined;

interface DetailsDialogsProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  name: string;
  contact: Contact | undefined;
  dialog: DetailsDialog;
  onClose: () => void;
}

export function DetailsDialogs({ client, chat, peer, name, contact, dialog, onClose }: DetailsDialogsProps) {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  const navigate = useNavigate();
  const seconds = useLive(client.live.timer(chat)) ?? 0;

  async function handleDelete(isRemoved: boolean): Promise<void> {
    onClose();
    await client.deleteChat(chat);
    if (isRemoved) await client.contacts.remove(peer);
    showFeedback('success', t('deleteChat.done'), successDuration);
    await navigate(local(paths.contacts), { replace: true });
  }

  if (dialog === undefined) return null;
  if (isEditedPreference(dialog)) {
    return <PreferenceDialog client={client} peer={peer} contact={contact} name={dialog} onClose={onClose} />;
  }
  switch (dialog) {
    case 'timer':
      return (
        <TimerDialog
          seconds={seconds}
          onChoose={(chosen) => {
            onClose();
            void client.setTimer({ to: peer, seconds: chosen });
          }}
          onClose={onClose}
        />
      );
    case 'block':
      return (
        <BlockDialog
          name={name}
          onBlock={() => {
            onClose();
            void client.contacts.block(peer);
          }}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <DeleteChatDialog
          name={name}
          canRemove={contact?.state === 'accepted'}
          onDelete={(isRemoved) => void handleDelete(isRemoved)}
          onClose={onClose}
        />
      );
  }
}
