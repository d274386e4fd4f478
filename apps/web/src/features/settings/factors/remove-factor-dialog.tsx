import { useTranslation } from 'react-i18next';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface RemoveFactorDialogProps {
  /** After it the password alone is enough. */
  isLast: boolean;
  onClose: () => void;
  onRemove: () => void;
}

export function RemoveFactorDialog({ isLast, onClose, onRemove }: RemoveFactorDialogProps) {
  const { t } = useTranslation('factors');
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('remove.title')}
      description={isLast ? t('remove.last') : t('remove.other')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </CustomButton>
          <CustomButton kind="danger" onClick={onRemove}>
            {t('list.turnOff')}
          </CustomButton>
        </>
      }
    />
  );
}
