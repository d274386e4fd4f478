import { useTranslation } from 'react-i18next';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface RemovePasskeyDialogProps {
  name: string;
  onClose: () => void;
  onRemove: () => void;
}

export function RemovePasskeyDialog({ name, onClose, onRemove }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('passkeys');
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('remove.title', { name })}
      description={t('remove.text')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('name.cancel')}
          </CustomButton>
          <CustomButton kind="danger" onClick={onRemove}>
            {t('row.remove')}
          </CustomButton>
        </>
      }
    />
  );
}
