import { isDecodable } from '@dostar/protocol/content/picture-size';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { QrScanner } from '../../ui/qr-scanner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { readInviteLink } from './read-invite-link.ts';

interface ScanDialogProps {
  onInvite: (invite: string) => void;
  onClose: () => void;
}

export function ScanDialog({ onInvite, onClose }: ScanDialogProps) {
  const { t } = useTranslation('contacts');

  function handleCode(code: Uint8Array): boolean {
    const invite = readInviteLink(new TextDecoder().decode(code));
    if (invite !== undefined) onInvite(invite);
    return invite !== undefined;
  }

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('scan.title')} description={t('scan.text')}>
      <div className="mt-4">
        <QrScanner
          content="text"
          words={{
            hint: t('scan.hint'),
            noCamera: t('scan.noCamera'),
            choosePicture: t('scan.picture'),
            nothing: t('scan.nothing'),
          }}
          isDecodable={isDecodable}
          onCode={handleCode}
        />
      </div>
    </Dialog>
  );
}
