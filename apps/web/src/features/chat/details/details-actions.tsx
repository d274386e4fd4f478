import type { Client, Contact } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { Archive, ArchiveRestore, Ban, Flag, Trash2 } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { openReportDialog } from '../../../core/messenger/report-target.ts';
import type { DetailsDialog } from './details-dialogs.tsx';
import { DetailsRow } from './details-row.tsx';

interface DetailsActionsProps {
  client: Client;
  peer: AccountId;
  name: string;
  contact: Contact | undefined;
  onDialog: (dialog: DetailsDialog) => void;
}

export function DetailsActions({ client, peer, name, contact, onDialog }: DetailsActionsProps) {
  const { t } = useTranslation('contacts');
  const isArchived = contact?.archived ?? false;
  return (
    <div className="border-t border-line px-2 py-2">
      {contact?.state === 'accepted' && (
        <DetailsRow
          icon={isArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          title={isArchived ? t('details.unarchive') : t('details.archive')}
          onPress={() => void client.contacts.change(peer, { archived: !isArchived })}
        />
      )}
      {contact?.state === 'blocked' ? (
        <DetailsRow
          icon={<Ban aria-hidden />}
          title={t('details.unblock')}
          onPress={() => void client.contacts.unblock(peer)}
        />
      ) : (
        <DetailsRow
          icon={<Ban aria-hidden />}
          title={t('details.block')}
          isDangerous
          onPress={() => onDialog('block')}
        />
      )}
      <DetailsRow
        icon={<Flag aria-hidden />}
        title={t('details.report')}
        isDangerous
        onPress={() => openReportDialog(peer, name)}
      />
      <DetailsRow
        icon={<Trash2 aria-hidden />}
        title={t('details.delete')}
        isDangerous
        onPress={() => onDialog('delete')}
      />
    </div>
  );
}
