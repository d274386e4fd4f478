import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface RemovePasskeyDialogProps {
  name: string;
  onClose: () => void;
  onRemove: (endOthers: boolean) => void;
}

export function RemovePasskeyDialog({ name, onClose, onRemove }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('passkeys');
  const [endOthers, setEndOthers] = useState(false);
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
          <CustomButton kind="danger" onClick={() => onRemove(endOthers)}>
            {t('row.remove')}
          </CustomButton>
        </>
      }
    >
      <div className="mt-4">
        <Checkbox checked={endOthers} onCheckedChange={setEndOthers}>
          {t('endOthers')}
        </Checkbox>
      </div>
    </Dialog>
  );
}
