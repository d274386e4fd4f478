import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface DeleteDialogProps {
  count: number;
  /** True if the user sent all of these messages and none is still queued. */
  canForEveryone: boolean;
  onDelete: (forEveryone: boolean) => void;
  onClose: () => void;
}

export function DeleteDialog({ count, canForEveryone, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('chat');
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={count === 1 ? t('delete.this') : t('delete.title', { count })}
      {...(canForEveryone && { description: t('delete.text') })}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('delete.cancel')}
          </CustomButton>
          <CustomButton kind={canForEveryone ? 'secondary' : 'danger'} onClick={() => onDelete(false)}>
            {t('delete.me')}
          </CustomButton>
          {canForEveryone && (
            <CustomButton kind="danger" onClick={() => onDelete(true)}>
              {t('delete.everyone')}
            </CustomButton>
          )}
        </>
      }
    />
  );
}
