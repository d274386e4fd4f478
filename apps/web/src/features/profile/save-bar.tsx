import { Check } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';

interface SaveBarProps {
  isDirty: boolean;
  isSaving: boolean;
}

/** Save button with the state of the form: saved or unsaved. */
export function SaveBar({ isDirty, isSaving }: SaveBarProps) {
  const { t } = useTranslation('profile');
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line pt-4">
      <p aria-live="polite" className="flex grow items-center gap-1.5 text-small text-muted">
        {isDirty ? (
          t('form.unsaved')
        ) : (
          <>
            <Check aria-hidden className="size-4 text-ok" />
            {t('form.saved')}
          </>
        )}
      </p>
      <CustomButton type="submit" disabled={!isDirty && !isSaving} isWaiting={isSaving}>
        {t('form.save')}
      </CustomButton>
    </div>
  );
}
