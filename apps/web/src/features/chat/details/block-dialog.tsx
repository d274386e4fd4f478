import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface BlockDialogProps {
  name: string;
  onBlock: () => void;
  onClose: () => void;
}

export function BlockDialog({ name, onBlock, onClose }: BlockDialogProps) {
  const { t } = useTranslation('contacts');
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('block.title', { name })}
      description={t('block.text')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('cancel')}
          </CustomButton>
          <CustomButton kind="danger" onClick={onBlock}>
            {t('block.submit')}
          </CustomButton>
        </>
      }
    />
  );
}
