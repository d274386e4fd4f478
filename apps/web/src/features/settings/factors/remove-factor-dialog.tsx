import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface RemoveFactorDialogProps {
  /** Without this factor the password alone signs in. */
  isLast: boolean;
  onClose: () => void;
  onRemove: (endOthers: boolean) => void;
}

export function RemoveFactorDialog({ isLast, onClose, onRemove }: RemoveFactorDialogProps) {
  const { t } = useTranslation('factors');
  const [endOthers, setEndOthers] = useState(false);
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
          <CustomButton kind="danger" onClick={() => onRemove(endOthers)}>
            {t('list.turnOff')}
          </CustomButton>
        </>
      }
    >
      <div className="mt-4">
        <Checkbox checked={endOthers} onCheckedChange={setEndOthers}>
          {t('common.endOthers')}
        </Checkbox>
      </div>
    </Dialog>
  );
}
