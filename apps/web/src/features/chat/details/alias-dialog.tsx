import { type FormEvent } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

const MAX_LENGTH = 100;

interface AliasDialogProps {
  value: string | null;
  onSave: (alias: string | null) => void;
  onClose: () => void;
}

export function AliasDialog({ value, onSave, onClose }: AliasDialogProps) {
  const { t } = useTranslation('contacts');

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('alias');
    if (typeof typed === 'string') onSave(typed.trim() || null);
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('details.aliasTitle')}
      description={t('details.aliasText')}
    >
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        <CustomInput
          label={t('details.aliasLabel')}
          name="alias"
          defaultValue={value ?? ''}
          maxLength={MAX_LENGTH}
          dir="auto"
          autoComplete="off"
        />
        <div className="flex flex-wrap justify-end gap-3">
          {value !== null && (
            <CustomButton kind="quiet" onClick={() => onSave(null)}>
              {t('details.aliasTake')}
            </CustomButton>
          )}
          <CustomButton type="submit">{t('details.save')}</CustomButton>
        </div>
      </form>
    </Dialog>
  );
}
