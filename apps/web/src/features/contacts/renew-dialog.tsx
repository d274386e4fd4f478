import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface RenewDialogProps {
  isWaiting: boolean;
  onRenew: () => void;
  onRevoke: () => void;
  onClose: () => void;
}

export function RenewDialog({ isWaiting, onRenew, onRevoke, onClose }: RenewDialogProps) {
  const { t } = useTranslation('contacts');
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('renew.title')}
      description={t('renew.text')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('cancel')}
          </CustomButton>
          <CustomButton kind="secondary" isWaiting={isWaiting} onClick={onRevoke}>
            {t('renew.end')}
          </CustomButton>
          <CustomButton isWaiting={isWaiting} onClick={onRenew}>
            {t('renew.make')}
          </CustomButton>
        </>
      }
    />
  );
}
