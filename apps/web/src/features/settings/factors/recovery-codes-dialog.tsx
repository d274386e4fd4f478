import { Copy, Download } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { saveFile } from '../../../core/lib/save-file.ts';
import { productName } from '../../../product.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface RecoveryCodesDialogProps {
  codes: string[];
  onClose: () => void;
}

/** Shows the codes once: the server stores only their hashes. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation('factors');
  const text = `${productName}\n\n${codes.join('\n')}\n`;

  async function handleCopy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    showFeedback('success', t('codes.copied'), successDuration);
  }

  function handleDownload(): void {
    saveFile(`${productName.toLowerCase()}-backup-codes.txt`, text, 'text/plain');
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('codes.showTitle')}
      description={t('codes.showText')}
      actions={<CustomButton onClick={onClose}>{t('codes.written')}</CustomButton>}
    >
      <ol className="figures mt-5 grid grid-cols-2 gap-x-6 gap-y-2 rounded-field bg-surface-2 p-4 text-center">
        {codes.map((code) => (
          <li key={code}>
            <code className="font-semibold tracking-wide">{code}</code>
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <CustomButton kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void handleCopy()}>
          {t('codes.copy')}
        </CustomButton>
        <CustomButton kind="quiet" icon={<Download aria-hidden className="size-5" />} onClick={handleDownload}>
          {t('codes.download')}
        </CustomButton>
      </div>
    </Dialog>
  );
}
