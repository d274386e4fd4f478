import { Copy, Printer } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { productName } from '../../../product.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface ShowKeyDialogProps {
  words: string;
  onClose: () => void;
}

/** Shows the recovery key once; it is not stored. Printing prints only the key. */
export function ShowKeyDialog({ words, onClose }: ShowKeyDialogProps) {
  const { t } = useTranslation('settings');

  async function handleCopy(): Promise<void> {
    await navigator.clipboard.writeText(words);
    showFeedback('success', t('recoveryKey.copied'), successDuration);
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('recoveryKey.showTitle')}
      description={t('recoveryKey.showText')}
      actions={<CustomButton onClick={onClose}>{t('recoveryKey.written')}</CustomButton>}
    >
      <div className="print-only-this">
        <p className="hidden print:block">{t('recoveryKey.printed', { product: productName })}</p>
        <ol
          aria-label={t('recoveryKey.title')}
          className="figures mt-5 grid grid-cols-3 gap-x-4 gap-y-2 rounded-field bg-surface-2 p-4 text-center sm:grid-cols-4"
        >
          {words.split(' ').map((group, index) => (
            <li key={`${index} ${group}`}>
              <code className="text-field font-semibold tracking-wider">{group}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <CustomButton kind="quiet" icon={<Printer aria-hidden className="size-5" />} onClick={() => window.print()}>
          {t('recoveryKey.print')}
        </CustomButton>
        <CustomButton kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void handleCopy()}>
          {t('recoveryKey.copy')}
        </CustomButton>
      </div>
    </Dialog>
  );
}
