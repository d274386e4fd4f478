import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { paths } from '../../core/lib/paths.ts';
import { signOut } from '../../core/session/session-end.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface ForgotDialogProps {
  account: string;
  onClose: () => void;
}

/** For a user who forgot the secret: signs out and deletes the account's data in this browser. Works offline. */
export function ForgotDialog({ account, onClose }: ForgotDialogProps) {
  const { t } = useTranslation('lock');
  const local = useLocalPath();
  const [isLeaving, setIsLeaving] = useState(false);

  async function handleSignOut(): Promise<void> {
    setIsLeaving(true);
    await signOut(account);
    window.location.assign(local(paths.signIn));
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('forgot.title')}
      description={t('forgot.text')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('forgot.cancel')}
          </CustomButton>
          <CustomButton kind="danger" isWaiting={isLeaving} onClick={() => void handleSignOut()}>
            {t('forgot.confirm')}
          </CustomButton>
        </>
      }
    />
  );
}
