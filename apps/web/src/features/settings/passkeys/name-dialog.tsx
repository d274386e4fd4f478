import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

const MAX_NAME = 60;

interface NameDialogProps {
  title: string;
  text?: string;
  initial: string;
  onClose: () => void;
  onName: (name: string) => void;
  children?: ReactNode;
}

export function NameDialog({ title, text, initial, onClose, onName, children }: NameDialogProps) {
  const { t } = useTranslation('passkeys');
  const [name, setName] = useState(initial);
  const isEmpty = name.trim() === '';

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty) onName(name.trim());
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={title} {...(text !== undefined && { description: text })}>
      <form noValidate onSubmit={handleSubmit} className="mt-5">
        <CustomInput
          label={t('name.label')}
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isEmpty ? t('name.empty') : undefined}
        />
        {children}
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('name.cancel')}
          </CustomButton>
          <CustomButton type="submit">{t('name.continue')}</CustomButton>
        </div>
      </form>
    </Dialog>
  );
}
