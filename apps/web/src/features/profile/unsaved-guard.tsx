import { useEffect } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useLeaveConfirmation } from './use-leave-confirmation.ts';

/** Asks before the user leaves unsaved changes: a dialog inside the app, the browser's prompt otherwise. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation('profile');
  const confirmation = useLeaveConfirmation(isDirty);

  useEffect(() => {
    if (!isDirty) return undefined;
    function handleLeave(event: BeforeUnloadEvent): void {
      event.preventDefault();
    }
    window.addEventListener('beforeunload', handleLeave);
    return () => window.removeEventListener('beforeunload', handleLeave);
  }, [isDirty]);

  return (
    <Dialog
      isOpen={confirmation?.state === 'blocked'}
      onOpenChange={() => confirmation?.reset?.()}
      title={t('guard.title')}
      description={t('guard.text')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={() => confirmation?.reset?.()}>
            {t('guard.stay')}
          </CustomButton>
          <CustomButton kind="danger" onClick={() => confirmation?.proceed?.()}>
            {t('guard.leave')}
          </CustomButton>
        </>
      }
    />
  );
}
