import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '../core/paths.ts';
import { leaveSession } from '../core/session.ts';
import { callEndSession } from '../core/session-call.ts';
import { useLocalPath } from '../core/use-locale.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);

  async function handleSignOut(): Promise<void> {
    setIsLeaving(true);
    await callEndSession();
    // Leaving the page first: a page for members would send a signed-out visitor to sign-in on the way.
    await navigate(local(paths.home));
    leaveSession();
    onClose();
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('account.confirmSignOut')}
      description={t('account.signOutNote')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('account.stay')}
          </CustomButton>
          <CustomButton kind="danger" isWaiting={isLeaving} onClick={() => void handleSignOut()}>
            {t('account.signOut')}
          </CustomButton>
        </>
      }
    />
  );
}
