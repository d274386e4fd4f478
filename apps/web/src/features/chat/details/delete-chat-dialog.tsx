import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface DeleteChatDialogProps {
  name: string;
  canRemove: boolean;
  onDelete: (isRemoved: boolean) => void;
  onClose: () => void;
}

export function DeleteChatDialog({ name, canRemove, onDelete, onClose }: DeleteChatDialogProps) {
  const { t } = useTranslation('contacts');
  const [isRemoved, setIsRemoved] = useState(false);
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('deleteChat.title')}
      description={t('deleteChat.text', { name })}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('cancel')}
          </CustomButton>
          <CustomButton kind="danger" onClick={() => onDelete(isRemoved)}>
            {t('deleteChat.submit')}
          </CustomButton>
        </>
      }
    >
      {canRemove && (
        <div className="mt-3">
          <Checkbox checked={isRemoved} onCheckedChange={setIsRemoved}>
            {t('deleteChat.remove', { name })}
          </Checkbox>
        </div>
      )}
    </Dialog>
  );
}
